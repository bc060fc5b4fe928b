//! Sending and receiving, with a buffer and without.

use super::{Course, check, check_run, program};

#[test]
fn send_appends() {
    let text = "chan q = [2] of { byte, short }; active proctype P() { q!1,300; q!2,-3; q!3,0 }";
    check_run(text, &["P0 q!1,300", "P0 q!2,-(3)"], "q=[1,300 2,-3]; P0");
}

#[test]
fn a_send_to_a_full_channel_blocks_or_its_message_is_lost() {
    let text = "chan q = [1] of { byte }; active proctype P() { q!1; q!2 }";
    check_run(text, &["P0 q!1"], "q=[1]; P0");
    let lossy = crate::program::Program { lossy: true, ..program(text) };
    let mut run = Course::new(&lossy);
    assert_eq!(run.go_on(), ["P0 q!1", "P0 q!2", "P0 -end-"]);
    assert_eq!(run.state(), "q=[1]");
}

#[test]
fn a_sorted_send_inserts_before_the_first_greater_message() {
    let text = "chan q = [5] of { byte, byte }; active proctype P() { q!!3,1; q!!1,5; q!!3,0; q!!2,9; q!!1,5 }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.go_on();
    assert_eq!(run.state(), "q=[1,5 1,5 2,9 3,0 3,1]");
    // as pan: what is sent is compared before it is cut, what is there is not
    check_run(
        "chan q = [2] of { byte }; active proctype P() { q!!50; q!!300 }",
        &["P0 q!!50", "P0 q!!300", "P0 -end-"],
        "q=[50 44]",
    );
}

#[test]
fn receive_takes_the_first_message() {
    let text = "chan q = [2] of { byte, byte }; byte x, y; active proctype P() { q!1,2; q!3,4; q?x,y }";
    check_run(text, &["P0 q!1,2", "P0 q!3,4", "P0 q?x,y", "P0 -end-"], "q=[3,4] x=1 y=2");
    check("chan q = [2] of { byte }; byte x; active proctype P() { q?x }", &[]);
}

#[test]
fn constants_and_eval_have_to_match() {
    let with = |receive: &str| {
        let text =
            format!("chan q = [2] of {{ byte, byte }}; byte x = 7, y; active proctype P() {{ q!7,2; {receive} }}");
        let program = program(&text);
        let mut run = Course::new(&program);
        run.go();
        let possible = !run.steps().is_empty();
        possible.then(|| {
            run.go();
            run.state()
        })
    };
    assert_eq!(with("q?7,y").as_deref(), Some("q=[] x=7 y=2; P0"));
    assert_eq!(with("q?8,y"), None);
    assert_eq!(with("q?eval(x),y").as_deref(), Some("q=[] x=7 y=2; P0"));
    assert_eq!(with("q?eval(x+1),y"), None);
    assert_eq!(with("q?_,2").as_deref(), Some("q=[] x=7 y=0; P0"));
    // what is to match is looked at before anything is stored
    assert_eq!(with("q?x,eval(y)"), None);
}

#[test]
fn variables_are_stored_from_left_to_right() {
    let text = "chan q = [1] of { byte, byte }; byte x, a[3]; active proctype P() { q!2,5; q?x,a[x] }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.go();
    run.go();
    assert_eq!(run.state(), "q=[] x=2 a[0]=0 a[1]=0 a[2]=5; P0");
}

#[test]
fn a_random_receive_takes_the_first_that_matches() {
    let text = "chan q = [3] of { byte, byte }; byte x; active proctype P() { q!1,2; q!3,4; q!3,5; q??3,x }";
    let program = program(text);
    let mut run = Course::new(&program);
    (0..4).for_each(|_| _ = run.go());
    assert_eq!(run.state(), "q=[1,2 3,5] x=4; P0");
    check_run("chan q = [1] of { byte }; active proctype P() { q!1; q??2 }", &["P0 q!1"], "q=[1]; P0");
}

#[test]
fn a_copy_leaves_the_message_where_it_is() {
    let text = "chan q = [2] of { byte }; byte x; active proctype P() { q!1; q!2; q?<x>; q??<2> }";
    check_run(text, &["P0 q!1", "P0 q!2", "P0 q?<x>", "P0 q??<2>", "P0 -end-"], "q=[1 2] x=1");
}

#[test]
fn a_poll_is_a_condition() {
    let with = |condition: &str| {
        let text =
            format!("chan q = [2] of {{ byte, byte }}; byte x; active proctype P() {{ q!1,2; q!3,4; {condition} }}");
        let program = program(&text);
        let mut run = Course::new(&program);
        run.go();
        run.go();
        !run.steps().is_empty()
    };
    assert!(with("q?[1,2]") && with("q?[1,x]") && with("q??[3,4]") && with("q?[eval(x+1),_]"));
    assert!(!with("q?[3,4]") && !with("q??[3,2]") && !with("q?[eval(x),_]"));
    assert!(with("full(q)") && with("nempty(q)") && with("len(q) == 2"));
    assert!(!with("nfull(q)") && !with("empty(q)"));
}

#[test]
fn message_fields_are_cut_when_they_are_sent() {
    let text = "chan q = [1] of { byte, bit }; active proctype P() { q!300,2; q?300,_ }";
    check_run(text, &["P0 q!300,2"], "q=[44,0]; P0");
    // as pan: a bit alone in a message is a byte
    check("chan q = [1] of { bit }; active proctype P() { q!2 }", &[("P0 q!2", "q=[2]; P0")]);
}

#[test]
fn a_handshake_moves_two_processes() {
    let text = "chan c = [0] of { byte, byte }; byte x;
        active proctype S() { c!1,5 } active proctype R() { c?1,x } active proctype T() { c?2,x }";
    check(text, &[("S0 c!1,5 > R1 c?1,x", "c=[] x=5; S0; R1; T2")]);
}

#[test]
fn every_ready_receiver_is_a_successor_the_youngest_first() {
    let text = "chan c = [0] of { byte }; active proctype S() { c!5 } active [2] proctype R() { byte y; c?y }";
    let successors = [("S0 c!5 > R2 c?y", "c=[]; S0; R1 y=0; R2 y=5"), ("S0 c!5 > R1 c?y", "c=[]; S0; R1 y=5; R2 y=0")];
    check(text, &successors);
}

#[test]
fn nobody_shakes_hands_with_himself() {
    check("chan c = [0] of { byte }; active proctype P() { do :: c!1 :: c?_ od }", &[]);
}

#[test]
fn a_channel_without_buffer_cannot_be_polled() {
    let text = "chan c = [0] of { byte }; active proctype P() { c?[1] }";
    check(text, &[("P0 (c?[1]) ! a rendezvous channel cannot be polled", "")]);
}

#[test]
fn channels_are_values() {
    let text = "chan q = [1] of { byte }; chan r = [1] of { chan }; active proctype P() { chan c; r!q; r?c; c!7 }";
    let program = program(text);
    let mut run = Course::new(&program);
    (0..3).for_each(|_| _ = run.go());
    assert_eq!(run.state(), "q=[7] r=[]; P0 c=1");
}

#[test]
fn a_channel_variable_without_a_channel_is_a_fault() {
    let text = "chan c; active proctype P() { c!1 } proctype Q() { chan d = [1] of { byte }; d!1 }";
    check(text, &[("P0 c!1 ! use of an uninitialised channel (send)", "")]);
}

#[test]
fn channels_of_a_process_come_and_go_with_it() {
    let text = "chan mine; byte n;
        init { run P(); n == 1; run P(); n == 2 }
        proctype P() { chan own = [1] of { byte }; own!3; mine = own; n++ }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.take("init0 (run P())");
    assert_eq!(run.state(), "mine=0 n=0; init0; P1 own=1 []");
    run.take("P1 own!3").take("P1 mine = own").take("P1 n = (n+1)").take("P1 -end-");
    assert_eq!(run.state(), "mine=1 n=1; init0");
}
