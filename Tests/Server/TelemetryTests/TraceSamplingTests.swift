import Testing

@testable import Telemetry

@Suite struct TraceSamplingTests {
    private func traces(_ count: Int = 10_000, seed: UInt64 = 7) -> [TraceContext] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in TraceContext(using: &random) }
    }

    private func sampled(_ traces: [TraceContext], _ share: Double) -> Set<TraceContext> {
        let sampling = TraceSampling(share: share)
        return Set(traces.filter { sampling.samples($0, hasParent: false) })
    }

    @Test(arguments: [(0.0, 0...0), (0.01, 70...130), (0.5, 4_850...5_150), (1, 10_000...10_000)])
    func theShareOfTracesIsSampled(share: Double, expected: ClosedRange<Int>) {
        #expect(expected.contains(sampled(traces(), share).count))
    }

    @Test func allProgramsDecideAlikeWhateverTheirSpan() {
        var random = SeededGenerator(seed: 99)
        let (one, other) = (TraceSampling(share: 0.3), TraceSampling(share: 0.3))
        for trace in traces() {
            #expect(
                one.samples(trace, hasParent: false)
                    == other.samples(trace.child(using: &random), hasParent: false))
        }
    }

    @Test func aLargerShareHasAllTracesOfASmallerOne() {
        let traces = traces()

        #expect(sampled(traces, 0.1).isSubset(of: sampled(traces, 0.2)))
    }

    @Test(arguments: [
        ("7fffffffffffff", false), ("80000000000000", true), ("ffffffffffffff", true),
        ("00000000000000", false),
    ])
    func halfMeansAtLeastHalfOfTheRange(digits: String, isSampled: Bool) throws {
        let field = "00-aaaaaaaaaaaaaaaaaa\(digits)-00f067aa0ba902b7-00"
        let trace = try #require(TraceContext(field))

        #expect(TraceSampling(share: 0.5).samples(trace, hasParent: false) == isSampled)
    }

    @Test func aShareOutsideOfTheRangeIsCut() {
        #expect(TraceSampling(share: -1).share == 0)
        #expect(TraceSampling(share: .nan).share == 0)
        #expect(TraceSampling(share: 2).share == 1)
    }

    @Test func theParentDecidesIfItIsTrusted() throws {
        let yes = try #require(
            TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        let no = try #require(
            TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"))

        #expect(TraceSampling(share: 0).samples(yes, hasParent: true))
        #expect(!TraceSampling(share: 1).samples(no, hasParent: true))
        #expect(!TraceSampling(share: 0, followsParent: false).samples(yes, hasParent: true))
        #expect(TraceSampling(share: 1, followsParent: false).samples(no, hasParent: true))
    }
}
