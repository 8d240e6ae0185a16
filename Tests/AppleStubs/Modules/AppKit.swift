public import Foundation

open class NSImage: NSObject {
    public init?(data: Data) {}
}

public struct NSTextContentType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = NSTextContentType(rawValue: "username")
    public static let newPassword = NSTextContentType(rawValue: "new-password")
    public static let password = NSTextContentType(rawValue: "password")
}

open class NSFont: NSObject, @unchecked Sendable {
    public struct Weight: Hashable, RawRepresentable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let regular = Weight(rawValue: 0)
        public static let semibold = Weight(rawValue: 0.3)
    }
    open class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> NSFont { fatalError() }
    public init?(descriptor fontDescriptor: NSFontDescriptor, size fontSize: CGFloat) {}
    open var fontDescriptor: NSFontDescriptor { fatalError() }
}

open class NSFontDescriptor: NSObject, @unchecked Sendable {
    public struct SystemDesign: Hashable, Sendable {
        public static let serif = SystemDesign()
    }
    public struct SymbolicTraits: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let italic = SymbolicTraits(rawValue: 1)
    }
    open func withDesign(_ design: SystemDesign) -> NSFontDescriptor? { fatalError() }
    open func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> NSFontDescriptor {
        fatalError()
    }
}

extension NSAttributedString.Key {
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
}

extension NSString {
    public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        fatalError()
    }
}
