import Testing

@testable import UserData

@Suite struct AnswerVectorTests {
    private let a = ClientID("a")
    private let b = ClientID("b")

    private func span(_ client: ClientID, _ first: UInt64, _ count: Int) -> AnswerSpan {
        AnswerSpan(client: client, first: first, count: count)
    }

    @Test func runsAddUp() {
        var vector = AnswerVector()
        #expect(vector.add(span(a, 1, 3)) == span(a, 1, 3))
        #expect(vector.add(span(a, 4, 1)) == span(a, 4, 1))
        #expect(vector.add(span(b, 1, 2)) == span(b, 1, 2))
        #expect(vector.lasts == [a: 4, b: 2] && vector.total == 6)
        #expect(vector[a] == 4 && vector[ClientID("c")] == 0)
    }

    @Test func aKnownRunAddsNothing() {
        var vector = AnswerVector([a: 5])
        #expect(vector.add(span(a, 1, 5)) == nil)
        #expect(vector.add(span(a, 2, 2)) == nil)
        #expect(vector.add(span(a, 4, 4)) == span(a, 6, 2))
        #expect(vector == AnswerVector([a: 7]))
    }

    @Test func aGapOrAnEmptyRunAddsNothing() {
        var vector = AnswerVector([a: 5])
        for run in [span(a, 7, 1), span(b, 2, 1), span(a, 6, 0), span(b, 0, 3), span(a, 6, -1)] {
            #expect(vector.add(run) == nil, "\(run)")
        }
        #expect(vector == AnswerVector([a: 5]))
    }

    @Test func zerosAreNoEntries() {
        #expect(AnswerVector([a: 0, b: 1]) == AnswerVector([b: 1]))
        #expect(AnswerVector([a: 0]) == AnswerVector())
    }

    @Test func theDifferenceIsOneRunPerDeviceInOrder() {
        let one = AnswerVector([b: 9, a: 4])
        #expect(one.beyond(AnswerVector()) == [span(a, 1, 4), span(b, 1, 9)])
        #expect(one.beyond(AnswerVector([a: 1, b: 9])) == [span(a, 2, 3)])
        #expect(one.beyond(one) == [] && AnswerVector().beyond(one) == [])
        #expect(one.beyond(AnswerVector([a: 8])) == [span(b, 1, 9)])
    }

    @Test func theDifferenceHasALimit() {
        let one = AnswerVector([a: 4, b: 9])
        #expect(one.beyond(AnswerVector(), limit: 3) == [span(a, 1, 3)])
        #expect(one.beyond(AnswerVector(), limit: 6) == [span(a, 1, 4), span(b, 1, 2)])
        #expect(one.beyond(AnswerVector(), limit: 0) == [])
    }

    @Test func exchangingDifferencesMakesBothEqual() {
        var one = AnswerVector([a: 4, b: 9])
        var two = AnswerVector([a: 7, ClientID("c"): 1])
        let (mine, theirs) = (one.beyond(two), two.beyond(one))
        for run in theirs { one.add(run) }
        for run in mine { two.add(run) }
        #expect(one == two && one.total == 17)
    }

    @Test func truncationForgetsTheEnd() {
        var vector = AnswerVector([a: 4, b: 9])
        vector.truncate(to: 2, of: a)
        vector.truncate(to: 20, of: b)
        #expect(vector == AnswerVector([a: 2, b: 9]))
        vector.truncate(to: 0, of: a)
        vector.truncate(to: 3, of: ClientID("c"))
        #expect(vector == AnswerVector([b: 9]))
    }

    @Test func aRunEndsWithItsLastNumber() {
        #expect(span(a, 3, 4).last == 6 && span(a, 1, 1).last == 1)
    }
}
