public import Foundation

open class NSImage: NSObject {
    public init?(data: Data) {}
}
