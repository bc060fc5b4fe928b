//! Expressions whose evaluation cannot fail.

use crate::program::code::{Chan, Code, IndexStep, Op};

/// The evaluation cannot fail, and has no effect.
pub fn is_total(code: &Code) -> bool {
    is_total_if(code, |_| false)
}

/// The evaluation cannot fail, and has no effect, if these indices are known to be within their bounds.
pub fn is_total_if(code: &Code, is_within: impl Fn(&IndexStep) -> bool) -> bool {
    let mut total = true;
    code.visit(&mut |part| {
        total &= match part {
            Code::Indexed(place) => is_within(&place.first) && place.more.iter().all(&is_within),
            Code::ChannelElement(step, _) => is_within(step),
            Code::Run(_) | Code::Any => false,
            Code::RemoteLabel(_) | Code::RemoteVar(_) => false,
            Code::Enabled(_) | Code::PcValue(_) | Code::GetPriority(_) => false,
            Code::Binary(Op::Div | Op::Rem, _) | Code::CellConst(Op::Div | Op::Rem, ..) => false,
            Code::Len(chan) | Code::Full(chan) | Code::NotFull(chan) | Code::Empty(chan) | Code::NotEmpty(chan) => {
                matches!(**chan, Chan::Fixed(_))
            }
            Code::Poll(poll) => matches!(poll.chan, Chan::Fixed(_)),
            Code::Const(_)
            | Code::GlobalByte(_)
            | Code::LocalByte(_)
            | Code::Cell(_)
            | Code::GlobalRange(..)
            | Code::LocalRange(..)
            | Code::CellConst(..)
            | Code::Binary(..)
            | Code::And(_)
            | Code::Or(_)
            | Code::Not(_)
            | Code::Minus(_)
            | Code::Complement(_)
            | Code::Conditional(_)
            | Code::Timeout
            | Code::NonProgress
            | Code::Pid
            | Code::ProcessCount
            | Code::Last
            | Code::Priority => true,
        }
    });
    total
}
