// Options of the address sanitizer for every program that is built with it. The variable ASAN_OPTIONS adds
// more.
//
// A request that cannot be met gives a null pointer, as it does without the sanitizer. An error is a signal,
// which cannot be confused with an exit status of the program; so is undefined behaviour, whose place in the
// source is printed. Stacks of allocations are short: they are a fifth of the time of each start. The
// quarantine of freed memory is 16 MiB: the default of 256 MiB uses fresh pages all the time and doubles the
// time of the operators' tests.
extern "C" const char* __asan_default_options();

extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:abort_on_error=1:handle_sigill=1:malloc_context_size=5:"
         "quarantine_size_mb=16";
}
