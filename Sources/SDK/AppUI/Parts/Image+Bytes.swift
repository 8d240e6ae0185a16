#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import SwiftUI

#if os(macOS)
import AppKit
#else
import UIKit
#endif

extension Image {
    /// Reads a picture; `nil` for bytes in a format that the system does not know.
    init?(bytes: [UInt8]) {
        #if os(macOS)
        guard let image = NSImage(data: Data(bytes)) else { return nil }
        self.init(nsImage: image)
        #else
        guard let image = UIImage(data: Data(bytes)) else { return nil }
        self.init(uiImage: image)
        #endif
    }
}
#endif
