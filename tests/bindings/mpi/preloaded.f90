! A program that knows nothing of supremum: MPI_MAX of REAL and DOUBLE PRECISION by each of MPI's Fortran interfaces.
!
! It prints the number of calls that each rank has made with them, and of results that are not right on rank 0.
subroutine by_module(calls, wrong)
  use mpi
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, intent(inout) :: calls, wrong
  integer :: rank, ranks, of, error, request, whole, most
  real :: x(3)
  real, asynchronous :: y(3)  ! written by MPI_Wait
  double precision :: d(3), e(3)
  integer(MPI_ADDRESS_KIND) :: address
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do of = 0, ranks - 1
    x = [-0.0, 1.0, real(rank)]
    if (rank == of) x(1:2) = [0.0, ieee_value(1.0, ieee_quiet_nan)]
    d = x
    call MPI_Allreduce(x, y, 3, MPI_REAL, MPI_MAX, MPI_COMM_WORLD, error)
    if (sign(1.0, y(1)) < 0 .or. .not. ieee_is_nan(y(2)) .or. y(3) /= ranks - 1) wrong = wrong + 1
    call MPI_Allreduce(d, e, 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    if (sign(1d0, e(1)) < 0 .or. .not. ieee_is_nan(e(2)) .or. e(3) /= ranks - 1) wrong = wrong + 1
    y = x
    call MPI_Iallreduce(MPI_IN_PLACE, y, 3, MPI_REAL4, MPI_MAX, MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_Get_address(y, address, error)  ! y may have changed
    if (sign(1.0, y(1)) < 0 .or. .not. ieee_is_nan(y(2)) .or. y(3) /= ranks - 1) wrong = wrong + 1
    call MPI_Reduce(d, e, 3, MPI_REAL8, MPI_MAX, 0, MPI_COMM_WORLD, error)
    if (rank == 0 .and. (sign(1d0, e(1)) < 0 .or. .not. ieee_is_nan(e(2)) .or. e(3) /= ranks - 1)) wrong = wrong + 1
    whole = rank - 9
    call MPI_Allreduce(whole, most, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    if (most /= ranks - 10) wrong = wrong + 1
    calls = calls + 4
  end do
end subroutine

subroutine by_module_of_2008(calls, wrong)
  use mpi_f08
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer, intent(inout) :: calls, wrong
  integer :: rank, ranks, of
  real :: x(2), y(2)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  do of = 0, ranks - 1
    x = [-0.0, 1.0]
    if (rank == of) x = [0.0, ieee_value(1.0, ieee_quiet_nan)]
    call MPI_Allreduce(x, y, 2, MPI_REAL, MPI_MAX, MPI_COMM_WORLD)
    if (sign(1.0, y(1)) < 0 .or. .not. ieee_is_nan(y(2))) wrong = wrong + 1
    calls = calls + 1
  end do
end subroutine

program preloaded
  use mpi
  implicit none
  integer :: calls = 0, wrong = 0, rank, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call by_module(calls, wrong)
  call by_module_of_2008(calls, wrong)
  if (rank == 0) print '(i0, a, i0, a)', calls, ' calls, ', wrong, ' wrong'
  call MPI_Finalize(error)
end program
