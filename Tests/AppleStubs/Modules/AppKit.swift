public import Foundation

open class NSImage: NSObject {
    public init?(data: Data) {}
}

public struct NSTextContentType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = NSTextContentType(rawValue: "username")
    public static let password = NSTextContentType(rawValue: "password")
}
