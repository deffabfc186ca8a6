# make         builds target/release/strata
# make run     builds it and decides the questions in examples/
# make test    formatting, lints, walls between crates, all tests (what CI runs)
# make bench   how fast, how much memory, beside z3 (minutes)
# make fuzz    random formulas and broken files against the solver (an hour; FORMULAS=1000 for a taste)

FORMULAS ?= 100000
SEED ?=

.PHONY: build run test bench fuzz need-build need-z3

build: need-build
	@test -d target/release/deps || echo "The first build compiles CaDiCaL: about three minutes on two cores."
	cargo build --release -p strata

need-build:
	@scripts/need build-essential=g++

need-z3: need-build
	@scripts/need z3=z3

run: build
	target/release/strata solve --model --time examples/*.smt2 examples/*.kquery

test: need-z3
	@test -d target/debug/deps || echo "The first build compiles CaDiCaL, and some tests prove or enumerate a great deal: ten minutes on two cores."
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo test --workspace

bench: build
	@scripts/need python3=python3
	@python3 -c 'import ensurepip' 2>/dev/null || scripts/need python3-venv=python3-venv
	cargo run --release --quiet -p strata-bench --bin terms
	cargo run --release --quiet -p strata-bench --bin constructors
	cargo run --release --quiet -p strata-bench --bin reading -- tests/queries/*/*.smt2
	python3 bench/solve.py

fuzz: build need-z3
	cargo run --release --quiet -p strata-fuzz --bin mutations -- 1000 $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin paths -- 100 $(SEED)
	cargo run --release --quiet -p strata-fuzz --bin formulas -- $(FORMULAS) $(SEED)
