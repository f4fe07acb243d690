#include "command.h"

int main(int argc, char** argv) { return supremum::cli::RunCommand(argc, argv); }
