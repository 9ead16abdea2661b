#include "exact/accumulator_code.h"
