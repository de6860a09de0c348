//! One match as somebody sits at it: state, events, effects.
