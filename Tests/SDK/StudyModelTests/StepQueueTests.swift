import StudyModel
import Testing

/// Which steps are taken, and in what order.
@Suite struct StepQueueTests {
    @Test func aPressDuringAStepHasNoEffect() {
        var steps = StepQueue<String>()
        steps.ask("answer")
        steps.ask("next")
        #expect(steps.current == "answer")
        steps.ended(steps.number)
        #expect(steps.current == nil)
    }

    @Test func aPauseDuringAStepComesAfterItAndThenTheReturn() {
        var steps = StepQueue<String>()
        steps.ask("answer")
        steps.insist("pause")
        steps.insist("go")
        #expect(steps.current == "answer")
        steps.ended(steps.number)
        #expect(steps.current == "pause")
        steps.ask("next")
        steps.ended(steps.number)
        #expect(steps.current == "go")
        steps.ended(steps.number)
        #expect(steps.current == nil)
    }

    @Test func aReloadDuringAReloadRunsOnceMore() {
        var steps = StepQueue<Bool>()
        steps.insist(true)
        let first = steps.number
        steps.insist(true)
        steps.insist(true)
        steps.ended(first)
        #expect(steps.current == true && steps.number != first)
        steps.ended(steps.number)
        #expect(steps.current == nil)
    }

    @Test func theEndOfAnEarlierStepSaysNothing() {
        var steps = StepQueue<String>()
        steps.ask("answer")
        let old = steps.number
        steps.ended(old)
        steps.ask("next")
        steps.ended(old)
        #expect(steps.current == "next")
    }
}
