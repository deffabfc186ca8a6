# make         builds target/release/strata
# make run     builds it and explores examples/maze.c: the way through a maze, found as the input of a failing assertion; then GNU bc, fetched and
#              built by strata cc
# make test    formatting, lints, walls between crates, all tests (what CI runs)
# make bench   how fast, how much memory: terms, solving beside z3, concrete code beside the machine, forking, limits (half an hour), and what each
#              solver layer saves beside the papers (an hour more, goes on where it was stopped; the page is target/bench/layers.html)
# make programs  real programs from Debian's sources: built, explored, replayed, measured (hours; goes on where it was stopped)
# make outside  GCC's torture tests and programs of csmith, from Debian's packages: explored at -O0 and -O2 beside the same natively (a quarter
#              of an hour; goes on where it was stopped)
# make fuzz    random formulas and broken files against the solver, broken bitcode against LLVM, random programs against the machine, layers against
#              the core, value sets against integers, linear systems against z3, RISC-V against objdump and qemu (hours; FORMULAS=1000 PROGRAMS=50 WALKS=50
#              PAIRS=10000 SYSTEMS=1000 SEQUENCES=1000 MODULES=100 for a taste)

FORMULAS ?= 100000
PROGRAMS ?= 2000
WALKS ?= 1000
PAIRS ?= 1000000
SYSTEMS ?= 50000
SEQUENCES ?= 100000
MODULES ?= 2000
SEED ?=

.PHONY: build run test bench programs outside fuzz need-build need-run need-test

# LLVM 22 is linked statically; whoever has another one than Debian's names its folder.
LLVM := $(or $(LLVM_SYS_221_PREFIX),/usr/lib/llvm-22)

build: need-build
	@test -d target/release/deps || echo "The first build compiles CaDiCaL and links LLVM: about five minutes on two cores."
	cargo build --release -p strata

need-build:
	@scripts/need build-essential=g++ llvm-22-dev=$(LLVM)/lib/libLLVMCore.a libpolly-22-dev=$(LLVM)/lib/libPolly.a \
	    libxml2-dev=/usr/include/libxml2/libxml/tree.h libzstd-dev=/usr/include/zstd.h zlib1g-dev=/usr/include/zlib.h

# What strata calls: a compiler, an archiver and a linker for bitcode.
need-run:
	@scripts/need clang-22=clang-22 llvm-22=llvm-ar-22 lld-22=ld.lld-22

need-test: need-build need-run
	@scripts/need z3=z3 libclang-rt-22-dev=$(LLVM)/lib/clang/22/lib/linux/libclang_rt.asan-$(shell uname -m).a \
	    gcc-riscv64-linux-gnu=riscv64-linux-gnu-gcc binutils-riscv64-linux-gnu=riscv64-linux-gnu-objdump \
	    libc6-dev-riscv64-cross=/usr/riscv64-linux-gnu/lib/libc.a qemu-user=qemu-riscv64

run: build need-run
	@target/release/strata run examples/maze.c; code=$$?; test $$code = 1 || exit $$code
	@scripts/tool

# What tests build (the C library as bitcode, once) is kept here, not in the user's own cache.
test: export XDG_CACHE_HOME = $(CURDIR)/target/cache
test: export STRATA_CACHE = $(CURDIR)/target/cache/strata
test: need-test
	@test -d target/debug/deps || echo "The first build compiles CaDiCaL and links LLVM, and some tests prove or enumerate a great deal: fifteen minutes on two cores."
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo test --workspace
	cargo run --quiet -p strata-fuzz --bin programs -- 100 1 target/debug/strata
	cargo run --quiet -p strata-fuzz --bin exhaust -- 40 1 target/debug/strata
	cargo run --quiet -p strata-fuzz --bin bitcode -- 200 1 target/debug/strata

bench: build
	@scripts/need python3=python3 flex=flex bison=bison
	@python3 -c 'import ensurepip' 2>/dev/null || scripts/need python3-venv=python3-venv
	cargo run --release --quiet -p strata-bench --bin terms
	cargo run --release --quiet -p strata-bench --bin constructors
	cargo run --release --quiet -p strata-bench --bin reading -- tests/queries/*/*.smt2
	cargo run --release --quiet -p strata-bench --bin writing
	cargo run --release --quiet -p strata-bench --bin replaying
	python3 bench/solve.py
	python3 bench/concrete.py
	python3 bench/forks.py --soak 600
	python3 bench/million.py
	@scripts/need valgrind=valgrind
	cargo run --release --quiet -p strata-bench --bin questions
	python3 bench/layers.py

programs: build need-run
	@scripts/need python3=python3 ed=ed cmake=cmake gcc=gcov m4=m4
	python3 bench/programs/build.py
	python3 bench/programs/planted.py
	python3 bench/programs/run.py
	python3 bench/programs/run.py --drivers
	python3 bench/programs/speed.py

outside: build need-run
	@scripts/need python3=python3 gcc-12-source=/usr/src/gcc-12 csmith=csmith libcsmith-dev=/usr/include/csmith
	python3 bench/outside/run.py

fuzz: build need-test
	cargo run --release --quiet -p strata-fuzz --bin mutations -- 1000 $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin paths -- 100 $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin layers -- $(WALKS) $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin domains -- $(PAIRS) $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin linear -- $(SYSTEMS) $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin programs -- $(PROGRAMS) $(or $(SEED),1) target/release/strata
	cargo run --release --quiet -p strata-fuzz --bin exhaust -- $(PROGRAMS) $(or $(SEED),1) target/release/strata
	python3 bench/riscv/listings.py
	cargo run --release --quiet -p strata-fuzz --bin riscv -- $(SEQUENCES) $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin bitcode -- $(MODULES) $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin formulas -- $(FORMULAS) $(SEED)
