#include "exact/natural_code.h"
