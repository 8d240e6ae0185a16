/// The nesting of spans from the pairs of their marks.
///
/// Emphasis within emphasis is one, as is strong emphasis within strong emphasis. So the depth does not grow with the
/// number of marks.
struct SpanBuilder {
    private var lists: [[TextSpan]] = [[]]
    private var emphasisDepth = 0
    private var strongDepth = 0

    /// The spans of the outermost level.
    var spans: [TextSpan] { lists[0] }

    mutating func append(_ span: TextSpan) { lists[lists.count - 1].append(span) }

    /// Appends what a run of asterisks closes, leaves and opens.
    mutating func append(_ run: EmphasisPairs.Run) {
        for kind in run.closes { close(kind) }
        if run.rest > 0 { append(.text(String(repeating: "*", count: run.rest))) }
        for kind in run.opens.reversed() { open(kind) }
    }

    private mutating func open(_ kind: EmphasisPairs.Kind) {
        if change(kind, by: 1) == 1 { lists.append([]) }
    }

    private mutating func close(_ kind: EmphasisPairs.Kind) {
        guard change(kind, by: -1) == 0 else { return }
        let spans = lists.removeLast()
        append(kind == .strong ? .strong(spans) : .emphasis(spans))
    }

    private mutating func change(_ kind: EmphasisPairs.Kind, by step: Int) -> Int {
        switch kind {
        case .emphasis:
            emphasisDepth += step
            return emphasisDepth
        case .strong:
            strongDepth += step
            return strongDepth
        }
    }
}
