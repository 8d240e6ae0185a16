#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import SwiftUI

extension View {
    /// Shows a screen over this one: over all of a phone, where a drag must not end a session; elsewhere as a sheet.
    func covers<Item: Identifiable, Content: View>(
        item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        #if os(iOS)
        fullScreenCover(item: item, content: content)
        #else
        sheet(item: item) { content($0).interactiveDismissDisabled() }
        #endif
    }

    /// Shows a screen over this one: over all of a phone, elsewhere as a sheet.
    func covers<Content: View>(
        isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        #if os(iOS)
        fullScreenCover(isPresented: isPresented, content: content)
        #else
        sheet(isPresented: isPresented, content: content)
        #endif
    }
}
#endif
