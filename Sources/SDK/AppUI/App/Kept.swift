#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import SwiftUI

/// A screen with models that are made once, when it appears: `body` runs often, and makes none.
struct Kept<Model, Content: View>: View {
    @State private var model: Model?
    private let make: @MainActor () -> Model
    private let content: @MainActor (Model) -> Content

    init(
        _ make: @autoclosure @escaping @MainActor () -> Model,
        @ViewBuilder content: @escaping @MainActor (Model) -> Content
    ) {
        self.make = make
        self.content = content
    }

    var body: some View {
        ZStack {
            if let model { content(model) }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .onAppear { if model == nil { model = make() } }
    }
}
#endif
