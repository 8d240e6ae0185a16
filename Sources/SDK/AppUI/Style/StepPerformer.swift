#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI

/// Runs the step that a control asked for in the task of its view: one at a time, and ended with it.
struct StepPerformer<Step: Equatable & Sendable>: ViewModifier {
    @Binding private var step: Step?
    private let perform: @MainActor (Step) async -> Void

    init(_ step: Binding<Step?>, _ perform: @escaping @MainActor (Step) async -> Void) {
        _step = step
        self.perform = perform
    }

    func body(content: Content) -> some View {
        content.task(id: step) { await run() }
    }

    private func run() async {
        guard let wanted = step else { return }
        await perform(wanted)
        // Another step may have been asked for meanwhile.
        if step == wanted { step = nil }
    }
}

/// Takes the steps of a queue in the task of its view, one after another.
struct StepQueuePerformer<Step: Equatable & Sendable>: ViewModifier {
    @Binding private var steps: StepQueue<Step>
    private let perform: @MainActor (Step) async -> Void

    init(_ steps: Binding<StepQueue<Step>>, _ perform: @escaping @MainActor (Step) async -> Void) {
        _steps = steps
        self.perform = perform
    }

    func body(content: Content) -> some View {
        content.task(id: steps.number) { await run() }
    }

    private func run() async {
        guard let step = steps.current else { return }
        let number = steps.number
        await perform(step)
        steps.ended(number)
    }
}

extension View {
    /// Takes the steps that controls ask for, and those on which the screen insists.
    func performs<Step: Equatable & Sendable>(
        _ steps: Binding<StepQueue<Step>>, _ perform: @escaping @MainActor (Step) async -> Void
    ) -> some View {
        modifier(StepQueuePerformer(steps, perform))
    }

    /// Performs a step when a control sets it, and then sets it back to `nil`.
    func performs<Step: Equatable & Sendable>(
        _ step: Binding<Step?>, _ perform: @escaping @MainActor (Step) async -> Void
    ) -> some View {
        modifier(StepPerformer(step, perform))
    }
}
#endif
