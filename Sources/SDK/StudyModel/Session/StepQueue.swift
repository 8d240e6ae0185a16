/// The steps that controls of a screen ask for: one is taken at a time.
///
/// A press while a step is under way is a press too many, and has no effect. What the screen itself asks for, such as the
/// pause of an app that goes into the background, waits for its turn and is never dropped.
///
/// ```swift
/// var steps = StepQueue<String>()
/// steps.ask("answer")
/// steps.insist("pause")  // after the answer
/// ```
public struct StepQueue<Step: Equatable & Sendable>: Sendable {
    /// The step under way; `nil` for none.
    public private(set) var current: Step?
    /// The number of the step under way, another one for each: two equal steps in a row are two.
    public private(set) var number = 0
    private var waiting: [Step] = []

    /// Creates an empty queue.
    public init() {}

    /// Takes a step unless one is under way.
    public mutating func ask(_ step: Step) {
        guard current == nil else { return }
        begin(step)
    }

    /// Takes a step after the one that is under way, and after all that wait; once, if it is the last that waits.
    public mutating func insist(_ step: Step) {
        guard current != nil else { return begin(step) }
        guard waiting.last != step else { return }
        waiting.append(step)
    }

    /// Begins the next step after one has ended; the end of an earlier step says nothing.
    public mutating func ended(_ number: Int) {
        guard self.number == number, current != nil else { return }
        current = nil
        if !waiting.isEmpty { begin(waiting.removeFirst()) }
    }

    private mutating func begin(_ step: Step) {
        current = step
        number += 1
    }
}
