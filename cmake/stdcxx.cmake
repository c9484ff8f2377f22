# What recorded C++ programs have in front of the standard library: lib/recipe/c++, headers that 'recipe c++' finds first (include/c++), and
# lib/recipe/librecipe_cxx-ARCH.a, code of libstdc++'s that is no template (src/stdcxx), built by recipe itself so that it is
# recorded. For the same architectures as the runtime, and by its targets. What is read of the sources is named without
# where they were.
file(GLOB stdcxx_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stdcxx/*.c)
file(GLOB stdcxx_own CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stdcxx/*.h)
file(GLOB_RECURSE stdcxx_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/include/c++ ${CMAKE_SOURCE_DIR}/include/c++/*)
foreach(header ${stdcxx_headers})
  add_custom_command(OUTPUT ${RECIPE_LIB}/c++/${header}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/include/c++/${header} ${RECIPE_LIB}/c++/${header}
    DEPENDS ${CMAKE_SOURCE_DIR}/include/c++/${header} VERBATIM)
  list(APPEND stdcxx_copies ${RECIPE_LIB}/c++/${header})
endforeach()
add_custom_target(recipe-headers ALL DEPENDS ${stdcxx_copies})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/c++/ DESTINATION lib/recipe/c++)

function(recipe_stdcxx arch)
  recipe_sysroot(${arch} flags)
  set(objects)
  foreach(source ${stdcxx_sources})
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_BINARY_DIR}/stdcxx/${arch}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E env RECIPE_CLANG=${RECIPE_RUNTIME_CC} $<TARGET_FILE:recipe> cc --target=${arch}-linux-gnu -std=gnu17
        ${flags} -D_GNU_SOURCE -O1 -g -fPIC -fexceptions -Wall -Wextra -Wmissing-prototypes -ffile-prefix-map=${CMAKE_SOURCE_DIR}/src=recipe
        -I${CMAKE_SOURCE_DIR}/src -c ${source} -o ${object}
      DEPENDS recipe recipe-inline-hooks recipe-headers ${source} ${stdcxx_own} VERBATIM
      COMMENT "recorded code of libstdc++'s for ${arch}: ${name}.c")
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/stdcxx/${arch})
  recipe_archive(stdcxx librecipe_cxx ${arch} "${objects}")
  add_dependencies(runtime-${arch} stdcxx-${arch})
endfunction()

foreach(arch aarch64 x86_64)
  recipe_stdcxx(${arch})
endforeach()
