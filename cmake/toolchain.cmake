# For projects that are to be built with recipe: cmake -DCMAKE_TOOLCHAIN_FILE=…/lib/recipe/toolchain.cmake
# Stands in lib/recipe of where recipe was installed, or built, and finds it from there.
find_program(RECIPE_CC recipe-cc HINTS ${CMAKE_CURRENT_LIST_DIR}/../../bin ${CMAKE_CURRENT_LIST_DIR}/../.. NO_DEFAULT_PATH)
find_program(RECIPE_CXX recipe-c++ HINTS ${CMAKE_CURRENT_LIST_DIR}/../../bin ${CMAKE_CURRENT_LIST_DIR}/../.. NO_DEFAULT_PATH)
if(NOT RECIPE_CC OR NOT RECIPE_CXX)
  message(FATAL_ERROR "There is no recipe-cc beside ${CMAKE_CURRENT_LIST_DIR}: use this file where recipe was installed.")
endif()
set(CMAKE_C_COMPILER ${RECIPE_CC})
set(CMAKE_CXX_COMPILER ${RECIPE_CXX})
