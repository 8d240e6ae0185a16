public import Foundation

#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

public struct GraphicsContext {
    public struct Shading: Sendable {
        public static func color(_ color: Color) -> Shading { fatalError() }
        public static func style<S: ShapeStyle>(_ style: S) -> Shading { fatalError() }
        public static var foreground: Shading { fatalError() }
    }

    public struct ResolvedText {
        public func measure(in size: CGSize) -> CGSize { fatalError() }
        public func firstBaseline(in size: CGSize) -> CGFloat { fatalError() }
    }

    public func resolve(_ text: Text) -> ResolvedText { fatalError() }
    public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {}
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {}
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {}
}

public struct Canvas<Symbols: View> {}

extension Canvas: View { public typealias Body = Never }

extension Canvas where Symbols == EmptyView {
    nonisolated public init(
        opaque: Bool = false, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    ) {}
}

@MainActor
public final class ImageRenderer<Content: View> {
    public init(content: Content) {}
    public var scale: CGFloat {
        get { fatalError() }
        set {}
    }
    #if canImport(UIKit)
    public var uiImage: UIImage? { fatalError() }
    #elseif canImport(AppKit)
    public var nsImage: NSImage? { fatalError() }
    #endif
}
