#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
extension Optional where Wrapped: Hashable {
    /// A draft as its controls show it: `$draft[shown: draft]`.
    ///
    /// SwiftUI's own unwrapped binding ends the app when the draft becomes `nil` while a control still reads it. This one
    /// reads the draft that was shown, and writes nothing once there is no draft any more.
    subscript(shown draft: Wrapped) -> Wrapped {
        get { self ?? draft }
        set { if self != nil { self = newValue } }
    }
}
#endif
