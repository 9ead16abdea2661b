#include "json.h"

#include <stdio.h>

/* The length of the UTF-8 sequence at s; 0 where there is none. */
static int sequence_length(const unsigned char *s)
{
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* overlong forms, surrogates, and what lies above U+10FFFF */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
        return 0;
    return length;
}

void json_string(const char *text)
{
    putchar('"');
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = sequence_length(s);
        if (length == 0) {
            fputs("\\ufffd", stdout);
            s++;
        } else if (*s == '"' || *s == '\\') {
            printf("\\%c", *s++);
        } else if (*s < 0x20 || *s == 0x7f) {
            printf("\\u%04x", *s++);
        } else {
            fwrite(s, 1, (size_t)length, stdout);
            s += length;
        }
    }
    putchar('"');
}
