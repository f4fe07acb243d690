// What the address sanitizer does in every program that is built with it. The variable ASAN_OPTIONS may say
// more.
//
// A request that cannot be met gives a null pointer, as it does without the sanitizer. An error is a signal,
// which nobody takes for an exit status of the program, and so is undefined behaviour, of which the place in
// the source is printed. Short stacks of what was allocated: they are a fifth of the time of each start.
// Memory that was given back is not used again while 16 MiB are given back after it; 256 MiB, which is the
// usual, are fresh pages all the time, and twice the time of the operators' tests.
extern "C" const char* __asan_default_options();

extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:abort_on_error=1:handle_sigill=1:malloc_context_size=5:"
         "quarantine_size_mb=16";
}
