public import Foundation

open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
}

@MainActor public enum UIKeyboardType: Int, Sendable {
    case `default`, numbersAndPunctuation, URL, numberPad, emailAddress, decimalPad
}

public struct UITextContentType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = UITextContentType(rawValue: "username")
    public static let password = UITextContentType(rawValue: "password")
    public static let emailAddress = UITextContentType(rawValue: "email")
}
