# What is linked into recorded programs: lib/recipe/librecipe_rt-ARCH.a, by clang whatever compiles the rest (hooks that
# keep the registers are clang's), and never with the sanitizers of a preset. For the other architecture the target
# runtime-ARCH (tools/cross.sh), or with everything where RECIPE_RUNTIME_ARCHES names it; RECIPE_SYSROOT_ARCH is for a
# sysroot that clang can't guess.
string(TOLOWER ${CMAKE_SYSTEM_PROCESSOR} host_arch)
string(REPLACE amd64 x86_64 host_arch ${host_arch})
string(REPLACE arm64 aarch64 host_arch ${host_arch})
set(RECIPE_RUNTIME_ARCHES "${host_arch}" CACHE STRING "Architectures that the runtime is built for: aarch64, x86_64")

find_program(RECIPE_RUNTIME_CC NAMES clang-19 clang HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
find_program(RECIPE_RUNTIME_AR NAMES llvm-ar-19 llvm-ar HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
set(RECIPE_LIB ${CMAKE_BINARY_DIR}/lib/recipe)
file(GLOB runtime_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/*.c)

# What clang needs to find the headers of an architecture, in the variable `to`.
function(recipe_sysroot arch to)
  if(RECIPE_SYSROOT_${arch})
    set(${to} --sysroot=${RECIPE_SYSROOT_${arch}} PARENT_SCOPE)
  elseif(NOT arch STREQUAL host_arch AND EXISTS /usr/${arch}-linux-gnu/include)
    set(${to} -isystem /usr/${arch}-linux-gnu/include PARENT_SCOPE)
  endif()
endfunction()

# Objects that become lib/recipe/NAME-ARCH.a, by the target KIND-ARCH; installed where RECIPE_RUNTIME_ARCHES names the architecture.
function(recipe_archive kind name arch objects)
  set(archive ${RECIPE_LIB}/${name}-${arch}.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${RECIPE_RUNTIME_AR} rcs ${archive} ${objects}
    DEPENDS ${objects} VERBATIM COMMENT "${kind} for ${arch}")
  if(arch IN_LIST RECIPE_RUNTIME_ARCHES)
    add_custom_target(${kind}-${arch} ALL DEPENDS ${archive})
    install(FILES ${archive} DESTINATION lib/recipe)
  else()
    add_custom_target(${kind}-${arch} DEPENDS ${archive})
  endif()
endfunction()

function(recipe_runtime arch)
  set(flags -std=gnu17 -D_GNU_SOURCE -O2 -g1 -fPIC -fno-exceptions -fasynchronous-unwind-tables -fno-stack-protector
    -ftls-model=initial-exec -fno-omit-frame-pointer -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wno-missing-field-initializers -I${CMAKE_SOURCE_DIR}/src --target=${arch}-linux-gnu)
  if(RECIPE_WERROR)
    list(APPEND flags -Werror)
  endif()
  recipe_sysroot(${arch} sysroot)
  list(APPEND flags ${sysroot})
  set(objects)
  foreach(source ${runtime_sources})
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_BINARY_DIR}/runtime/${arch}/${name}.o)
    set(exceptions)
    if(name STREQUAL once) # the one that must see the program's exceptions pass
      set(exceptions -fexceptions)
    endif()
    add_custom_command(OUTPUT ${object}
      COMMAND ${RECIPE_RUNTIME_CC} ${flags} ${exceptions} -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d VERBATIM
      COMMENT "runtime for ${arch}: ${name}.c")
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/runtime/${arch} ${RECIPE_LIB})
  recipe_archive(runtime librecipe_rt ${arch} "${objects}")
endfunction()

foreach(arch aarch64 x86_64)
  recipe_runtime(${arch})
endforeach()
