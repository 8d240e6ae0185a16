public import Foundation
public import SwiftUI

@MainActor @preconcurrency
public protocol ChartContent {
    associatedtype Body: ChartContent
    @ChartContentBuilder @MainActor @preconcurrency var body: Body { get }
}

extension ChartContent where Body == Never {
    public var body: Never { fatalError() }
}

extension Never: ChartContent {}

@resultBuilder
public struct ChartContentBuilder {
    public static func buildExpression<Content: ChartContent>(_ content: Content) -> Content {
        content
    }
    public static func buildBlock<Content: ChartContent>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: ChartContent>(
        _ content: repeat each Content
    ) -> some ChartContent { TupleChartContent<(repeat each Content)>() }
    public static func buildIf<Content: ChartContent>(_ content: Content?) -> Content? { content }
    public static func buildEither<True: ChartContent, False: ChartContent>(
        first: True
    ) -> BuilderConditional<True, False> { fatalError() }
    public static func buildEither<True: ChartContent, False: ChartContent>(
        second: False
    ) -> BuilderConditional<True, False> { fatalError() }
}

struct TupleChartContent<Content>: ChartContent {
    nonisolated init() {}
    typealias Body = Never
}

public struct BuilderConditional<TrueContent, FalseContent> {}

extension BuilderConditional: ChartContent
where TrueContent: ChartContent, FalseContent: ChartContent {
    public typealias Body = Never
}

extension Optional: ChartContent where Wrapped: ChartContent {}

extension ForEach: ChartContent where Content: ChartContent {}

extension ForEach where ID == Data.Element.ID, Content: ChartContent, Data.Element: Identifiable {
    nonisolated public init(
        _ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) { fatalError() }
}

extension ForEach where Content: ChartContent {
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) { fatalError() }
}

@MainActor @preconcurrency
public struct Chart<Content: ChartContent>: View {
    nonisolated public init(@ChartContentBuilder content: () -> Content) {}
    nonisolated public init<Data: RandomAccessCollection, C: ChartContent>(
        _ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, Data.Element.ID, C>, Data.Element: Identifiable {}
    nonisolated public init<Data: RandomAccessCollection, ID: Hashable, C: ChartContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, ID, C> {}
    public typealias Body = Never
}

// MARK: Values

public protocol Plottable {
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol
    var primitivePlottable: PrimitivePlottable { get }
    init?(primitivePlottable: PrimitivePlottable)
}

public protocol PrimitivePlottableProtocol: Plottable {}

extension PrimitivePlottableProtocol where PrimitivePlottable == Self {
    public var primitivePlottable: Self { self }
    public init?(primitivePlottable: Self) { self = primitivePlottable }
}

extension Int: PrimitivePlottableProtocol { public typealias PrimitivePlottable = Int }
extension Double: PrimitivePlottableProtocol { public typealias PrimitivePlottable = Double }
extension String: PrimitivePlottableProtocol { public typealias PrimitivePlottable = String }
extension Date: PrimitivePlottableProtocol { public typealias PrimitivePlottable = Date }

public struct PlottableValue<Value: Plottable> {
    public static func value(
        _ labelKey: LocalizedStringKey, _ value: Value
    ) -> PlottableValue<Value> { fatalError() }
    @_disfavoredOverload
    public static func value<S: StringProtocol>(
        _ label: S, _ value: Value
    ) -> PlottableValue<Value> { fatalError() }
}

extension PlottableValue where Value == Date {
    @_disfavoredOverload
    public static func value<S: StringProtocol>(
        _ label: S, _ value: Date, unit: Calendar.Component, calendar: Calendar? = nil
    ) -> PlottableValue<Date> { fatalError() }
}

// MARK: The chart as a whole

public struct ScaleType: Sendable {
    public static var linear: ScaleType { fatalError() }
    public static var date: ScaleType { fatalError() }
}

public protocol ScaleDomain {}

extension Array: ScaleDomain where Element: Plottable {}
extension ClosedRange: ScaleDomain where Bound: Plottable {}

extension View {
    nonisolated public func chartXAxis(_ visibility: Visibility) -> some View { self }
    nonisolated public func chartXAxis<Content: AxisContent>(
        @AxisContentBuilder content: () -> Content
    ) -> some View { self }
    nonisolated public func chartYAxis(_ visibility: Visibility) -> some View { self }
    nonisolated public func chartYAxis<Content: AxisContent>(
        @AxisContentBuilder content: () -> Content
    ) -> some View { self }
    nonisolated public func chartXScale<Domain: ScaleDomain>(
        domain: Domain, type: ScaleType? = nil
    ) -> some View { self }
    nonisolated public func chartYScale<Domain: ScaleDomain>(
        domain: Domain, type: ScaleType? = nil
    ) -> some View { self }
    nonisolated public func chartLegend(_ visibility: Visibility) -> some View { self }
    nonisolated public func chartForegroundStyleScale<
        DataValue: Plottable & Hashable, S: ShapeStyle
    >(
        _ mapping: KeyValuePairs<DataValue, S>
    ) -> some View { self }
}
