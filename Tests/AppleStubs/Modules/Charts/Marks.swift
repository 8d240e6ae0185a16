public import Foundation
public import SwiftUI

@MainActor @preconcurrency
public struct LineMark: ChartContent {
    nonisolated public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>
    ) {}
    nonisolated public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, series: PlottableValue<S>
    ) {}
    public typealias Body = Never
}

@MainActor @preconcurrency
public struct AreaMark: ChartContent {
    nonisolated public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, stacking: MarkStackingMethod = .standard
    ) {}
    nonisolated public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, yStart: PlottableValue<Y>, yEnd: PlottableValue<Y>
    ) {}
    public typealias Body = Never
}

@MainActor @preconcurrency
public struct BarMark: ChartContent {
    nonisolated public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic,
        height: MarkDimension = .automatic, stacking: MarkStackingMethod = .standard
    ) {}
    nonisolated public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) {}
    public typealias Body = Never
}

@MainActor @preconcurrency
public struct PointMark: ChartContent {
    nonisolated public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>
    ) {}
    public typealias Body = Never
}

@MainActor @preconcurrency
public struct RuleMark: ChartContent {
    nonisolated public init<Y: Plottable>(
        xStart: CGFloat? = nil, xEnd: CGFloat? = nil, y: PlottableValue<Y>
    ) {}
    nonisolated public init<X: Plottable>(
        x: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil
    ) {}
    nonisolated public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, y: PlottableValue<Y>
    ) {}
    public typealias Body = Never
}

@MainActor @preconcurrency
public struct RectangleMark: ChartContent {
    nonisolated public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic,
        height: MarkDimension = .automatic
    ) {}
    nonisolated public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>, xEnd: PlottableValue<X>, yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {}
    public typealias Body = Never
}

public struct MarkDimension: Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int) {}
    public init(floatLiteral value: Double) {}
    public static var automatic: MarkDimension { fatalError() }
    public static func fixed(_ dimension: CGFloat) -> MarkDimension { fatalError() }
    public static func inset(_ value: CGFloat) -> MarkDimension { fatalError() }
    public static func ratio(_ value: CGFloat) -> MarkDimension { fatalError() }
}

public struct MarkStackingMethod: Sendable {
    public static var standard: MarkStackingMethod { fatalError() }
    public static var unstacked: MarkStackingMethod { fatalError() }
}

public struct InterpolationMethod: Sendable {
    public static var linear: InterpolationMethod { fatalError() }
    public static var monotone: InterpolationMethod { fatalError() }
    public static var stepEnd: InterpolationMethod { fatalError() }
}

public protocol ChartSymbolShape: Shape {
    var perceptualUnitRect: CGRect { get }
}

public struct BasicChartSymbolShape: ChartSymbolShape {
    public var perceptualUnitRect: CGRect { fatalError() }
    nonisolated public func path(in rect: CGRect) -> Path { fatalError() }
    public typealias Body = Never
}

extension ChartSymbolShape where Self == BasicChartSymbolShape {
    public static var circle: BasicChartSymbolShape { fatalError() }
    public static var square: BasicChartSymbolShape { fatalError() }
    public static var diamond: BasicChartSymbolShape { fatalError() }
    public static var cross: BasicChartSymbolShape { fatalError() }
}

public struct AnnotationPosition: Equatable, Sendable {
    public static let automatic = AnnotationPosition()
    public static let overlay = AnnotationPosition()
    public static let top = AnnotationPosition()
    public static let bottom = AnnotationPosition()
    public static let leading = AnnotationPosition()
    public static let trailing = AnnotationPosition()
    public static let topLeading = AnnotationPosition()
    public static let topTrailing = AnnotationPosition()
}

extension ChartContent {
    nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some ChartContent { self }
    nonisolated public func foregroundStyle<D: Plottable>(
        by value: PlottableValue<D>
    ) -> some ChartContent { self }
    nonisolated public func lineStyle(_ style: StrokeStyle) -> some ChartContent { self }
    nonisolated public func lineStyle<D: Plottable>(
        by value: PlottableValue<D>
    ) -> some ChartContent { self }
    nonisolated public func symbol<S: ChartSymbolShape>(_ symbol: S) -> some ChartContent { self }
    nonisolated public func symbol<D: Plottable>(
        by value: PlottableValue<D>
    ) -> some ChartContent { self }
    nonisolated public func symbol<V: View>(
        @ViewBuilder symbol: () -> V
    ) -> some ChartContent { self }
    nonisolated public func symbolSize(_ area: CGFloat) -> some ChartContent { self }
    nonisolated public func interpolationMethod(
        _ method: InterpolationMethod
    ) -> some ChartContent { self }
    nonisolated public func opacity(_ opacity: Double) -> some ChartContent { self }
    nonisolated public func cornerRadius(
        _ radius: CGFloat, style: RoundedCornerStyle = .continuous
    ) -> some ChartContent { self }
    nonisolated public func annotation<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center,
        spacing: CGFloat? = nil, @ViewBuilder content: () -> C
    ) -> some ChartContent { self }
    nonisolated public func accessibilityLabel(_ label: Text) -> some ChartContent { self }
    @_disfavoredOverload
    nonisolated public func accessibilityLabel<S: StringProtocol>(
        _ label: S
    ) -> some ChartContent { self }
    nonisolated public func accessibilityValue(_ value: Text) -> some ChartContent { self }
    @_disfavoredOverload
    nonisolated public func accessibilityValue<S: StringProtocol>(
        _ value: S
    ) -> some ChartContent { self }
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some ChartContent { self }
}
