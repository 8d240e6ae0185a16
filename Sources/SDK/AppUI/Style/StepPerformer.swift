#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
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

extension View {
    /// Performs a step when a control sets it, and then sets it back to `nil`.
    func performs<Step: Equatable & Sendable>(
        _ step: Binding<Step?>, _ perform: @escaping @MainActor (Step) async -> Void
    ) -> some View {
        modifier(StepPerformer(step, perform))
    }
}
#endif
