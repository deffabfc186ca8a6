//! Fragments: pieces of an execution whose states wait for each other, so that they can be merged.
//!
//! A fragment begins where a state forks inside a loop, or where the program says so
//! (`klee_open_merge`). The states that come of this fork are its members until they leave the loop
//! in the same call, or reach the end of the range. There they *land*: the machine stops, and
//! whoever schedules states keeps them until no member is left inside.
//!
//! A member is counted by its guard (`Member`): a fork clones it, an end drops it. So the count is
//! right whatever becomes of a state.
//!
//! The interpreter notes membership and landings. Which states are merged, and how, is decided in
//! `strata-merge`.

use crate::code::Code;
use crate::end::End;
use crate::exec::Flow;
use crate::machine::Machine;
use crate::state::State;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use strata_ir::{BlockId, Cfg, Dominators, Function, Liveness, Loops, Reg};
use strata_query::Path;

/// Upper bound on the calls, from the innermost outwards, in which a loop around a fork is looked
/// for. Loops further out rarely end soon after an inner fork.
const CALLS: usize = 8;

/// Where a fragment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Range {
    /// Outside of a loop of a function: function and loop.
    Loop(u32, u32),
    /// At `klee_close_merge`.
    Marked,
}

/// A fragment of an execution.
#[derive(Debug)]
pub struct Fragment {
    /// Tells it from all others of the run.
    pub id: u64,
    /// Where it ends.
    pub range: Range,
    /// The call that it belongs to.
    pub serial: u64,
    /// Calls in progress in it, that one included.
    pub depth: usize,
    /// The place of the fork with which it began (an index into the program's places).
    pub place: u32,
    /// The path of the state with which it began.
    pub path: Path,
    /// Instructions that this state had run.
    pub instructions: u64,
    /// Members: states that have not left it.
    inside: AtomicUsize,
    /// States go on through its end without waiting.
    released: AtomicBool,
}

impl Fragment {
    /// How many states have not left it.
    pub fn inside(&self) -> usize {
        self.inside.load(Ordering::SeqCst)
    }

    /// Lets its states go on as forks.
    pub fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
    }

    /// Do its states go on as forks?
    pub fn is_released(&self) -> bool {
        self.released.load(Ordering::SeqCst)
    }
}

/// A state's membership in a fragment.
#[derive(Debug)]
pub struct Member {
    /// The fragment.
    pub fragment: Arc<Fragment>,
    /// How many times this state began another round of the loop.
    pub rounds: u32,
}

impl Member {
    fn new(fragment: Arc<Fragment>) -> Member {
        fragment.inside.fetch_add(1, Ordering::SeqCst);
        Member { fragment, rounds: 0 }
    }
}

impl Clone for Member {
    fn clone(&self) -> Member {
        let mut member = Member::new(self.fragment.clone());
        member.rounds = self.rounds;
        member
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.fragment.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Where a state stopped for the others of its fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// It left the innermost fragment that it is a member of.
    Left,
    /// It is at the start of another round of that fragment's loop.
    Round,
}

/// What is asked of merging, and what it learnt: shared by all workers.
#[derive(Debug, Default)]
pub struct Plan {
    /// Numbers of fragments.
    next: AtomicU64,
    /// Upper bound on the loops around one fork that wait. More of them find more to merge, and
    /// keep more states waiting.
    pub nested: usize,
    /// Do states stop at the start of each round of a fragment's loop?
    pub rounds: bool,
    /// Begin fragments at loops? Else only where the program or the user says so.
    pub loops: bool,
    /// Functions whose loops are merged; all if there are none.
    pub only: HashSet<u32>,
    /// Loops that do not begin fragments any more.
    refused: Mutex<HashSet<Range>>,
}

impl Plan {
    /// No further fragments for this loop.
    pub fn refuse(&self, range: Range) {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(range);
    }

    fn is_refused(&self, range: Range) -> bool {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).contains(&range)
    }
}

const NONE: u32 = u32::MAX;

/// Slots and the widths of what lies in them.
type Slots = Box<[(u32, u32)]>;

/// The loops of a function, by number, as landings need them.
pub(crate) struct Loopwise {
    /// By block: the innermost loop around it.
    innermost: Vec<u32>,
    /// By loop: the next one around it.
    parents: Vec<u32>,
    /// By loop: its header.
    headers: Vec<u32>,
    /// By block: the slots that are live at its start and how wide they are, where it is a header
    /// or entered from a loop that it is not part of.
    live: Vec<Option<Slots>>,
}

impl Loopwise {
    /// Nothing for a function without loops.
    pub fn new(function: &Function, slots: &[u32]) -> Option<Loopwise> {
        if function.blocks.is_empty() {
            return None;
        }
        let cfg = Cfg::new(function);
        let loops = Loops::new(&cfg, &Dominators::new(&cfg));
        if loops.all().is_empty() {
            return None;
        }
        let liveness = Liveness::new(function, &cfg);
        let number = |index: Option<usize>| index.map_or(NONE, |index| index as u32);
        let innermost = cfg.blocks().map(|block| number(loops.innermost(block))).collect();
        let mut live: Vec<Option<Slots>> = vec![None; function.blocks.len()];
        let mut note = |block: BlockId| {
            let wide = |reg: Reg| (slots[reg.index()], function.registers[reg.index()]);
            let of = || liveness.live_in(block).iter().map(wide).collect();
            live[block.index()].get_or_insert_with(of);
        };
        loops.all().iter().for_each(|found| note(found.header));
        for block in cfg.blocks() {
            let Some(inner) = loops.innermost(block) else { continue };
            for next in cfg.successors(block) {
                if !loops.contains(inner, *next) {
                    note(*next);
                }
            }
        }
        Some(Loopwise {
            innermost,
            parents: loops.all().iter().map(|found| number(found.parent)).collect(),
            headers: loops.all().iter().map(|found| found.header.0).collect(),
            live,
        })
    }

    /// The slots that are live where a block begins, if states may land there.
    pub fn live(&self, block: u32) -> Option<&[(u32, u32)]> {
        self.live[block as usize].as_deref()
    }

    /// The loops around a block, the innermost first.
    fn around(&self, block: u32) -> impl Iterator<Item = u32> {
        let first = self.innermost[block as usize];
        std::iter::successors(Some(first), |index| self.parents.get(*index as usize).copied())
            .take_while(|index| *index != NONE)
    }

    fn contains(&self, index: u32, block: u32) -> bool {
        self.around(block).any(|around| around == index)
    }
}

impl Code {
    /// The loops around a position, the innermost first.
    fn loops_at(&self, pc: u32) -> impl Iterator<Item = u32> {
        let (block, _) = self.source[(pc as usize).min(self.source.len() - 1)];
        self.fragments.iter().flat_map(move |loops| loops.around(block))
    }
}

impl State {
    /// The innermost fragment that the state is in.
    pub fn fragment(&self) -> Option<&Arc<Fragment>> {
        self.members.last().map(|member| &member.fragment)
    }

    /// The state leaves its innermost fragment.
    pub fn leave_fragment(&mut self) -> Option<Arc<Fragment>> {
        self.members.pop().map(|member| member.fragment.clone())
    }
}

impl Machine<'_> {
    /// Makes a state that is about to fork a member of fragments: one for each loop around it that
    /// it has none of yet.
    pub(crate) fn enter_fragments(&mut self, state: &mut State) {
        let Some(plan) = self.config.merge.clone().filter(|plan| plan.loops) else { return };
        let depth = state.stack.depth();
        // From the innermost outwards.
        let mut around: Vec<(u64, usize, Range)> = Vec::new();
        for (above, frame) in state.stack.iter().take(CALLS).enumerate() {
            if !plan.only.is_empty() && !plan.only.contains(&frame.function) {
                continue;
            }
            for index in self.image.code(frame.function).loops_at(frame.pc) {
                around.push((frame.serial, depth - above, Range::Loop(frame.function, index)));
            }
        }
        around.truncate(plan.nested);
        let known = |serial: u64, range: Range| {
            state.members.iter().any(|member| (member.fragment.serial, member.fragment.range) == (serial, range))
        };
        let fresh: Vec<_> = around.into_iter().take_while(|(serial, _, range)| !known(*serial, *range)).collect();
        for (serial, depth, range) in fresh.into_iter().rev() {
            if !plan.is_refused(range) {
                self.begin_fragment(state, serial, depth, range, &plan);
            }
        }
    }

    /// Makes a state the only member of a new fragment.
    pub(crate) fn begin_fragment(&mut self, state: &mut State, serial: u64, depth: usize, range: Range, plan: &Plan) {
        let fragment = Fragment {
            id: plan.next.fetch_add(1, Ordering::SeqCst),
            range,
            serial,
            depth,
            place: self.here(state),
            path: state.path.clone(),
            instructions: state.instructions,
            inside: AtomicUsize::new(0),
            released: AtomicBool::new(false),
        };
        state.members.push(Member::new(Arc::new(fragment)));
    }

    /// The state is at a landing. Stops it if that ends its innermost fragment, or a round of it.
    pub(crate) fn land(&mut self, state: &mut State) -> Result<Flow, End> {
        let frame = *state.stack.top();
        let depth = state.stack.depth();
        let code = self.image.code(frame.function);
        let (block, _) = code.source[frame.pc as usize];
        while let Some(member) = state.members.last_mut() {
            let fragment = &member.fragment;
            let Range::Loop(function, index) = fragment.range else { break };
            // Its call was left by longjmp: nobody waits for this state there.
            let gone = depth < fragment.depth || depth == fragment.depth && frame.serial != fragment.serial;
            if gone || fragment.is_released() {
                state.members.pop();
                continue;
            }
            let Some(loops) = code.fragments.as_ref() else { break };
            if frame.serial != fragment.serial || function != frame.function {
                break;
            }
            if !loops.contains(index, block) {
                state.landing = Some(Landing::Left);
                return Ok(Flow::Landed);
            }
            let rounds = self.config.merge.as_ref().is_some_and(|plan| plan.rounds);
            if rounds && loops.headers[index as usize] == block && !state.rested {
                member.rounds += 1;
                state.rested = true;
                state.landing = Some(Landing::Round);
                return Ok(Flow::Landed);
            }
            break;
        }
        state.rested = false;
        state.stack.top_mut().pc += 1;
        Ok(Flow::Jumped)
    }

    /// The slots of the running call that are live where the state is, and how wide they are.
    pub(crate) fn live_slots(&self, state: &State) -> Vec<(u32, u32)> {
        let frame = state.stack.top();
        let code = self.image.code(frame.function);
        let (block, index) = code.source[frame.pc as usize];
        if let Some(live) = code.fragments.as_ref().filter(|_| index == 0).and_then(|loops| loops.live(block)) {
            return live.to_vec();
        }
        let function = &self.image.program.functions[frame.function as usize];
        let live = Liveness::new(function, &Cfg::new(function)).live_before(function, BlockId(block), index as usize);
        live.into_iter().map(|reg| (code.slots[reg.index()], function.registers[reg.index()])).collect()
    }
}
