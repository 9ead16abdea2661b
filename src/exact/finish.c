#include "exact/finish_code.h"
