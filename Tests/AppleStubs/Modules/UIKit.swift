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
    public static let newPassword = UITextContentType(rawValue: "new-password")
    public static let emailAddress = UITextContentType(rawValue: "email")
}

open class UIFont: NSObject, @unchecked Sendable {
    public struct Weight: Hashable, RawRepresentable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let regular = Weight(rawValue: 0)
        public static let semibold = Weight(rawValue: 0.3)
    }
    open class func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { fatalError() }
    public init(descriptor: UIFontDescriptor, size: CGFloat) {}
    open var fontDescriptor: UIFontDescriptor { fatalError() }
}

open class UIFontDescriptor: NSObject, @unchecked Sendable {
    public struct SystemDesign: Hashable, Sendable {
        public static let serif = SystemDesign()
    }
    public struct SymbolicTraits: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let traitItalic = SymbolicTraits(rawValue: 1)
    }
    open func withDesign(_ design: SystemDesign) -> UIFontDescriptor? { fatalError() }
    open func withSymbolicTraits(_ traits: SymbolicTraits) -> UIFontDescriptor? { fatalError() }
}

extension NSAttributedString.Key {
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
}

extension NSString {
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        fatalError()
    }
}
