public import Foundation
public import SwiftUI

/// Charts alone can conform to it: an app composes its conforming types.
public protocol AxisContent {
    var _isOfCharts: Never { get }
}

@resultBuilder
public struct AxisContentBuilder {
    public static func buildExpression<Content: AxisContent>(_ content: Content) -> Content {
        content
    }
    public static func buildBlock<Content: AxisContent>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: AxisContent>(
        _ content: repeat each Content
    ) -> some AxisContent { TupleAxisContent<(repeat each Content)>() }
}

struct TupleAxisContent<Content>: AxisContent {
    var _isOfCharts: Never { fatalError() }
}

/// Charts alone can conform to it, too.
public protocol AxisMark {
    var _isOfCharts: Never { get }
}

@resultBuilder
public struct AxisMarkBuilder {
    public static func buildExpression<Content: AxisMark>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: AxisMark>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: AxisMark>(
        _ content: repeat each Content
    ) -> some AxisMark { TupleAxisMark<(repeat each Content)>() }
    public static func buildIf<Content: AxisMark>(_ content: Content?) -> Content? { content }
    public static func buildEither<True: AxisMark, False: AxisMark>(
        first: True
    ) -> BuilderConditional<True, False> { fatalError() }
    public static func buildEither<True: AxisMark, False: AxisMark>(
        second: False
    ) -> BuilderConditional<True, False> { fatalError() }
}

struct TupleAxisMark<Content>: AxisMark {
    var _isOfCharts: Never { fatalError() }
}

extension Optional: AxisMark where Wrapped: AxisMark {
    public var _isOfCharts: Never { fatalError() }
}

extension BuilderConditional: AxisMark where TrueContent: AxisMark, FalseContent: AxisMark {
    public var _isOfCharts: Never { fatalError() }
}

public struct AxisMarkPreset: Equatable, Sendable {
    public static let automatic = AxisMarkPreset()
    public static let aligned = AxisMarkPreset()
    public static let extended = AxisMarkPreset()
    public static let inset = AxisMarkPreset()
}

public struct AxisMarkPosition: Equatable, Sendable {
    public static let automatic = AxisMarkPosition()
    public static let leading = AxisMarkPosition()
    public static let trailing = AxisMarkPosition()
    public static let top = AxisMarkPosition()
    public static let bottom = AxisMarkPosition()
}

public struct AxisMarkValues: Sendable {
    public static var automatic: AxisMarkValues { fatalError() }
    public static func automatic(
        desiredCount: Int? = nil, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { fatalError() }
    public static func stride(
        by component: Calendar.Component, count: Int = 1, roundLowerBound: Bool? = nil,
        roundUpperBound: Bool? = nil, calendar: Calendar? = nil
    ) -> AxisMarkValues { fatalError() }
    public static func stride<P: Plottable & BinaryFloatingPoint>(
        by stepSize: P, roundLowerBound: Bool? = nil, roundUpperBound: Bool? = nil
    ) -> AxisMarkValues { fatalError() }
}

public struct AxisValue {
    public var index: Int { fatalError() }
    public var count: Int { fatalError() }
    public func `as`<P: Plottable>(_ type: P.Type) -> P? { fatalError() }
}

public struct AxisMarks<Content: AxisMark>: AxisContent {
    public var _isOfCharts: Never { fatalError() }
    nonisolated public init(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: AxisMarkValues = .automatic,
        @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) {}
    nonisolated public init<Value: Plottable>(
        preset: AxisMarkPreset = .automatic, position: AxisMarkPosition = .automatic,
        values: [Value], @AxisMarkBuilder content: @escaping (AxisValue) -> Content
    ) {}
}

public struct AxisGridLine: AxisMark {
    public var _isOfCharts: Never { fatalError() }
    nonisolated public init(centered: Bool? = nil, stroke: StrokeStyle? = nil) {}
}

public struct AxisTick: AxisMark {
    public var _isOfCharts: Never { fatalError() }
    nonisolated public init(
        centered: Bool? = nil, length: CGFloat = 4, stroke: StrokeStyle? = nil
    ) {}
}

public struct AxisValueLabelCollisionResolution: Sendable {
    public static var automatic: AxisValueLabelCollisionResolution { fatalError() }
    public static var greedy: AxisValueLabelCollisionResolution { fatalError() }
    public static var disabled: AxisValueLabelCollisionResolution { fatalError() }
}

public struct AxisValueLabelOrientation: Sendable {
    public static var automatic: AxisValueLabelOrientation { fatalError() }
    public static var horizontal: AxisValueLabelOrientation { fatalError() }
}

public struct AxisValueLabel<Content: View>: AxisMark {
    public var _isOfCharts: Never { fatalError() }
    nonisolated public init(
        centered: Bool? = nil, anchor: UnitPoint? = nil, multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil, orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

extension AxisValueLabel where Content == Text {
    @_disfavoredOverload
    nonisolated public init<S: StringProtocol>(
        _ title: S, centered: Bool? = nil, anchor: UnitPoint? = nil,
        multiLabelAlignment: Alignment? = nil,
        collisionResolution: AxisValueLabelCollisionResolution = .automatic,
        offsetsMarks: Bool? = nil, orientation: AxisValueLabelOrientation = .automatic,
        horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil
    ) {}
}

extension AxisMark {
    nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some AxisMark { self }
    nonisolated public func font(_ font: Font?) -> some AxisMark { self }
}
