/// Text that no description, reflection or log shows, such as a password.
///
/// ```swift
/// let password = HiddenText("s3cret")
/// print(password)           // (hidden)
/// print(password.reveal())  // s3cret
/// ```
public struct HiddenText: Sendable, Hashable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    private let text: String

    /// Hides a text.
    public init(_ text: String) { self.text = text }

    /// Returns the text, which must not be logged.
    public func reveal() -> String { text }

    /// The word "(hidden)".
    public var description: String { "(hidden)" }
    /// The word "(hidden)".
    public var debugDescription: String { "(hidden)" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
