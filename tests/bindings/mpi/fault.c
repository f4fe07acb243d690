/* Put before MPI by LD_PRELOAD: on rank FAULT_RANK the call FAULT_CALL kills the process (FAULT_KIND=die), or fails without doing
   anything (FAULT_KIND=fail), the FAULT_TURN-th time; or before it the last byte of FAULT_FILE is changed and its times are set back
   (FAULT_KIND=change). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int turn = 0;

static void change_file(void) {
  const int file = open(getenv("FAULT_FILE"), O_RDWR | O_CLOEXEC);
  struct stat before;
  char byte = 0;
  if (fstat(file, &before) != 0 || pread(file, &byte, 1, before.st_size - 1) != 1) abort();
  byte ^= 1;
  const struct timespec times[2] = {before.st_atim, before.st_mtim};
  if (pwrite(file, &byte, 1, before.st_size - 1) != 1 || futimens(file, times) != 0) abort();
  close(file);
}

static int faulty(const char* call) {
  const char* const wanted = getenv("FAULT_CALL");
  int rank = -1;
  if (wanted == NULL || strcmp(wanted, call) != 0) return 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != atoi(getenv("FAULT_RANK")) || ++turn != atoi(getenv("FAULT_TURN"))) return 0;
  if (strcmp(getenv("FAULT_KIND"), "change") == 0) {
    change_file();
    return 0;
  }
  if (strcmp(getenv("FAULT_KIND"), "die") == 0) {
    /* The others are in the middle of what they do together. */
    usleep(200000);
    kill(getpid(), SIGKILL);
  }
  return 1;
}

int MPI_Reduce_scatter(const void* from, void* to, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (faulty("MPI_Reduce_scatter")) return MPI_ERR_OTHER;
  return PMPI_Reduce_scatter(from, to, counts, type, op, comm);
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  /* All take part, since this is collective; one has nothing of it. */
  const int done = PMPI_File_open(comm, name, mode, info, file);
  return faulty("MPI_File_open") ? MPI_ERR_ACCESS : done;
}

int MPI_File_read_at(MPI_File file, MPI_Offset at, void* into, int count, MPI_Datatype type, MPI_Status* status) {
  if (!faulty("MPI_File_read_at")) return PMPI_File_read_at(file, at, into, count, type, status);
  /* As where another process has made the file shorter. */
  return PMPI_File_read_at(file, at, into, count / 2, type, status);
}

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* from, int count, MPI_Datatype type, MPI_Status* status) {
  if (faulty("MPI_File_write_at")) return MPI_ERR_NO_SPACE;
  return PMPI_File_write_at(file, at, from, count, type, status);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* from, int count, MPI_Datatype type, MPI_Status* status) {
  const int done = PMPI_File_write_at_all(file, at, from, count, type, status);
  return faulty("MPI_File_write_at_all") ? MPI_ERR_NO_SPACE : done;
}

int MPI_File_sync(MPI_File file) {
  const int done = PMPI_File_sync(file);
  return faulty("MPI_File_sync") ? MPI_ERR_IO : done;
}
