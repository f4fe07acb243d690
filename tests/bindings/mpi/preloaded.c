/* A program that knows nothing of supremum: every reduction of MPI, with MPI_MAX of floats and doubles and with other operations.
 *
 * Exit status 1 if an element is not the maximum by the rules that the page has. Rank 0 prints the number of calls that each rank has
 * made with MPI_MAX of floats or doubles, and of elements that are wrong on any rank. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION == 4
#include <mpi-ext.h>
#define MPI_Reduce_init MPIX_Reduce_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Reduce_scatter_init MPIX_Reduce_scatter_init
#define MPI_Reduce_scatter_block_init MPIX_Reduce_scatter_block_init
#define MPI_Scan_init MPIX_Scan_init
#define MPI_Exscan_init MPIX_Exscan_init
#define PERSISTENT 1
#elif MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION > 4)
#define PERSISTENT 1
#define SESSIONS 1
#endif

enum { kMost = 16, kPart = 501 };

static int rank, ranks, calls, wrong;

/* Element i of a rank: one +0 among -0, one NaN among ones, numbers, a negative NaN among infinities. */
static double element(int of, int i) {
  const int here = of == i / 4 % ranks;
  switch (i % 4) {
    case 0: return here ? 0.0 : -0.0;
    case 1: return here ? NAN : 1.0;
    case 2: return (double)((of * 7919 + i * 31) % 1009) - 500.5;
    default: return here && i % 3 == 0 ? -NAN : -INFINITY;
  }
}

static double join(double a, double b) {
  if (isnan(a) || isnan(b)) return fabs(NAN);
  if (a == 0 && b == 0) return signbit(a) ? b : a;
  return a < b ? b : a;
}

/* The bits of element i of a row of floats or doubles. */
static unsigned long long bits(const void* row, size_t width, int i) {
  unsigned long long whole = 0;
  unsigned part = 0;
  if (width == 8) {
    memcpy(&whole, (const char*)row + 8 * (size_t)i, 8);
    return whole;
  }
  memcpy(&part, (const char*)row + 4 * (size_t)i, 4);
  return part;
}

static void put(void* row, size_t width, int i, double value) {
  if (width == 8) ((double*)row)[i] = value;
  else ((float*)row)[i] = (float)value;
}

static void fill(void* row, size_t width, int n) {
  for (int i = 0; i < n; ++i) put(row, width, i, element(rank, i));
}

/* Elements first to first + n of the maximum of the ranks 0 to last. */
static void check(const char* name, const void* row, size_t width, int first, int n, int last) {
  double expected = 0;
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    double value = element(0, first + i);
    for (int of = 1; of <= last; ++of) value = join(value, element(of, first + i));
    put(&expected, width, 0, value);
    bad += bits(row, width, i) != bits(&expected, width, 0);
  }
  if (bad != 0) fprintf(stderr, "rank %d: %s, %d bytes: %d of %d elements are wrong\n", rank, name, (int)width, bad, n);
  wrong += bad;
}

static void clear(void* row) { memset(row, 0x55, sizeof(double) * kPart * kMost); }

/* Every function with MPI_MAX. `n` is the number of elements for each rank, and `unit` of those in one element of the type. */
static void reductions(MPI_Datatype type, size_t width, int unit, int n) {
  static double own[kPart * kMost], to[kPart * kMost];
  const int all = n * ranks, count = all / unit, part = n / unit;
  int parts[kMost];
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Request request;
  fill(own, width, all);
  for (int of = 0; of < ranks; ++of) parts[of] = part;

  clear(to), MPI_Reduce(own, to, count, type, MPI_MAX, ranks - 1, world);
  if (rank == ranks - 1) check("Reduce", to, width, 0, all, ranks - 1);
  clear(to), MPI_Allreduce(own, to, count, type, MPI_MAX, world);
  check("Allreduce", to, width, 0, all, ranks - 1);
  fill(to, width, all), MPI_Allreduce(MPI_IN_PLACE, to, count, type, MPI_MAX, world);
  check("Allreduce in place", to, width, 0, all, ranks - 1);
  clear(to), MPI_Reduce_scatter(own, to, parts, type, MPI_MAX, world);
  check("Reduce_scatter", to, width, rank * n, n, ranks - 1);
  clear(to), MPI_Reduce_scatter_block(own, to, part, type, MPI_MAX, world);
  check("Reduce_scatter_block", to, width, rank * n, n, ranks - 1);
  clear(to), MPI_Scan(own, to, count, type, MPI_MAX, world);
  check("Scan", to, width, 0, all, rank);
  clear(to), MPI_Exscan(own, to, count, type, MPI_MAX, world);
  if (rank > 0) check("Exscan", to, width, 0, all, rank - 1);

  clear(to), MPI_Ireduce(own, to, count, type, MPI_MAX, 0, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) check("Ireduce", to, width, 0, all, ranks - 1);
  fill(to, width, all), MPI_Iallreduce(MPI_IN_PLACE, to, count, type, MPI_MAX, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  check("Iallreduce in place", to, width, 0, all, ranks - 1);
  clear(to), MPI_Ireduce_scatter(own, to, parts, type, MPI_MAX, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  check("Ireduce_scatter", to, width, rank * n, n, ranks - 1);
  clear(to), MPI_Ireduce_scatter_block(own, to, part, type, MPI_MAX, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  check("Ireduce_scatter_block", to, width, rank * n, n, ranks - 1);
  clear(to), MPI_Iscan(own, to, count, type, MPI_MAX, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  check("Iscan", to, width, 0, all, rank);
  clear(to), MPI_Iexscan(own, to, count, type, MPI_MAX, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank > 0) check("Iexscan", to, width, 0, all, rank - 1);
  calls += 13;

#ifdef PERSISTENT
  MPI_Request requests[6];
  static double result[6][kPart * kMost];
  MPI_Info info = MPI_INFO_NULL;
  MPI_Reduce_init(own, result[0], count, type, MPI_MAX, 0, world, info, &requests[0]);
  MPI_Allreduce_init(own, result[1], count, type, MPI_MAX, world, info, &requests[1]);
  MPI_Reduce_scatter_init(own, result[2], parts, type, MPI_MAX, world, info, &requests[2]);
  MPI_Reduce_scatter_block_init(own, result[3], part, type, MPI_MAX, world, info, &requests[3]);
  MPI_Scan_init(own, result[4], count, type, MPI_MAX, world, info, &requests[4]);
  MPI_Exscan_init(own, result[5], count, type, MPI_MAX, world, info, &requests[5]);
  calls += 6;
  for (int turn = 0; turn < 2; ++turn) {
    for (int k = 0; k < 6; ++k) clear(result[k]);
    for (int k = 0; k < 6; ++k) MPI_Start(&requests[k]), MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    if (rank == 0) check("Reduce_init", result[0], width, 0, all, ranks - 1);
    check("Allreduce_init", result[1], width, 0, all, ranks - 1);
    check("Reduce_scatter_init", result[2], width, rank * n, n, ranks - 1);
    check("Reduce_scatter_block_init", result[3], width, rank * n, n, ranks - 1);
    check("Scan_init", result[4], width, 0, all, rank);
    if (rank > 0) check("Exscan_init", result[5], width, 0, all, rank - 1);
  }
  for (int k = 0; k < 6; ++k) MPI_Request_free(&requests[k]);
#endif
}

static void expect(const char* name, int right) {
  if (!right) fprintf(stderr, "rank %d: %s is wrong\n", rank, name);
  wrong += !right;
}

static void keep_first(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  memcpy(inout, in, sizeof(float) * (size_t)*n);
}

/* What is no MPI_MAX of floats or doubles. */
static void others(void) {
  struct { float value; int place; } best = {(float)rank, rank}, most;
  const int whole = rank - 5;
  const float number = (float)(rank + 1);
  const long double wide = (long double)rank;
  int to = 0;
  float sum = 0, least = 0, first = 0, kept = 0;
  long double widest = -1;
  MPI_Op own;
  MPI_Op_create(keep_first, 0, &own);
  MPI_Allreduce(&whole, &to, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  expect("MPI_MAX of int", to == ranks - 6);
  MPI_Allreduce(&wide, &widest, 1, MPI_LONG_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  expect("MPI_MAX of long double", widest == (long double)(ranks - 1));
  MPI_Allreduce(&number, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  expect("MPI_SUM", sum == (float)(ranks * (ranks + 1) / 2));
  MPI_Allreduce(&number, &least, 1, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD);
  expect("MPI_MIN", least == 1);
  MPI_Allreduce(&number, &first, 1, MPI_FLOAT, own, MPI_COMM_WORLD);
  expect("an operation of the program", first == 1);
  MPI_Allreduce(&best, &most, 1, MPI_FLOAT_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  expect("MPI_MAXLOC", most.place == ranks - 1);
  MPI_Scan(&number, &kept, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  expect("MPI_Scan of MPI_SUM", kept == (float)((rank + 1) * (rank + 2) / 2));
  MPI_Op_free(&own);
}

/* One call of a program that does not call MPI_Init. */
static int of_session(void) {
#ifdef SESSIONS
  MPI_Session session;
  MPI_Group group;
  MPI_Comm all;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
  MPI_Comm_rank(all, &rank);
  const float own = rank == 0 ? NAN : 1.0f;
  float to = 0;
  MPI_Allreduce(&own, &to, 1, MPI_FLOAT, MPI_MAX, all);
  printf("%s\n", isnan(to) ? "NaN" : "another number");
  MPI_Comm_free(&all), MPI_Group_free(&group), MPI_Session_finalize(&session);
#else
  printf("no sessions\n");
#endif
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "session") == 0) return of_session();
  MPI_Datatype three, twice, again;
  int total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > kMost) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int n = 1; n <= kPart; n += 100) {
    reductions(MPI_FLOAT, 4, 1, n);
    reductions(MPI_DOUBLE, 8, 1, n);
  }
  others();
  if (argc > 1 && strcmp(argv[1], "derived") == 0) { /* MPI_MAX of these is an error without the library */
    MPI_Type_contiguous(3, MPI_FLOAT, &three);
    MPI_Type_dup(MPI_DOUBLE, &again);
    MPI_Type_contiguous(2, again, &twice);
    MPI_Type_commit(&three), MPI_Type_commit(&twice);
    reductions(three, 4, 3, kPart);
    reductions(twice, 8, 2, kPart - 1);
    MPI_Type_free(&three), MPI_Type_free(&twice), MPI_Type_free(&again);
  }
  MPI_Allreduce(&wrong, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d calls, %d wrong\n", calls, total);
  MPI_Finalize();
  return total != 0;
}
