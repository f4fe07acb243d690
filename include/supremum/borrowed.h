// A view of a list or a text that another object owns, for members that keep the view.
#ifndef SUPREMUM_BORROWED_H_
#define SUPREMUM_BORROWED_H_

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include "supremum/cxx20.h"

namespace supremum {

namespace internal {
// Classes that own no elements. A class of another library can be wrapped in std::span or std::string_view.
template <class T>
inline constexpr bool kOwnsNothing = !std::is_class_v<T>;
template <class T, std::size_t kExtent>
inline constexpr bool kOwnsNothing<std::span<T, kExtent>> = true;
template <class Char, class Traits>
inline constexpr bool kOwnsNothing<std::basic_string_view<Char, Traits>> = true;

// A temporary of these types is destroyed at the end of the statement, with the elements that it owns.
template <class View, class T>
inline constexpr bool kIsOwningTemporary =
    !std::is_lvalue_reference_v<T> &&
    (std::is_array_v<std::remove_reference_t<T>> ||
     !(kOwnsNothing<std::remove_cvref_t<T>> || std::is_base_of_v<View, std::remove_cvref_t<T>>));
}  // namespace internal

/// `View`, a std::span or a std::string_view, as a member that is read after the statement that set it. The
/// owner of the elements must outlive it. A temporary that owns its elements does not compile:
///
///   view.shape = Shape{2, 3};     // error: use of a deleted function
///   const Shape shape{2, 3};
///   view.shape = shape;           // compiles
template <class View>
class Borrowed : public View {
 public:
  constexpr Borrowed() = default;

  template <class Owner>
  requires(std::is_convertible_v<Owner&&, View> &&
           !internal::kIsOwningTemporary<View, Owner&&>) constexpr Borrowed(Owner&& owner)
      : View(static_cast<View>(owner)) {}

  /// Keep the owner in a variable, and pass that.
  template <class Owner>
  requires(std::is_convertible_v<Owner&&, View>&& internal::kIsOwningTemporary<View, Owner&&>)
      Borrowed(Owner&& owner)
  = delete;
  Borrowed(std::initializer_list<typename View::value_type>) = delete;
};

}  // namespace supremum

#endif  // SUPREMUM_BORROWED_H_
