#include "torch_file.h"

#include <fstream>
#include <map>
#include <sstream>

namespace
{
std::map<std::string, double> speeds;
std::string version;
} // namespace

bool torch_open(const char *path)
{
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string name, value;
        std::getline(fields, name, '\t');
        std::getline(fields, value, '\t');
        if (name == "torch")
            version = value;
        else if (!value.empty())
            speeds[name] = std::stod(value);
    }
    return !version.empty();
}

const std::string &torch_version()
{
    return version;
}

double torch_speed(const std::string &name)
{
    auto found = speeds.find(name);
    return found == speeds.end() ? 0 : found->second;
}
