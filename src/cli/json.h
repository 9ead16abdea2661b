/* json.h - text in JSON. */
#ifndef SAMESUM_CLI_JSON_H
#define SAMESUM_CLI_JSON_H

/* Prints text on stdout as a JSON string, quotes included. Bytes that are no UTF-8 (file names may
 * hold any) are printed as U+FFFD. */
void json_string(const char *text);

#endif
