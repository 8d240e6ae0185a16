public struct NavigationPath: Equatable {
    public init() {}
    public var isEmpty: Bool { fatalError() }
    public mutating func append<V: Hashable>(_ value: V) {}
    public mutating func removeLast(_ k: Int = 1) {}
}

@MainActor @preconcurrency
public struct NavigationStack<Data, Root: View>: View {
    public typealias Body = Never
    nonisolated public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}
    nonisolated public init(
        path: Binding<NavigationPath>, @ViewBuilder root: () -> Root
    ) where Data == NavigationPath {}
    nonisolated public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
        Data.Element: Hashable
    {}
}

@MainActor @preconcurrency
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    public typealias Body = Never
}

extension NavigationSplitView where Content == EmptyView {
    nonisolated public init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail
    ) {}
}

@MainActor @preconcurrency
public struct NavigationLink<Label: View, Destination: View>: View {
    nonisolated public init(
        @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) {}
    public typealias Body = Never
}

extension NavigationLink where Destination == Never {
    nonisolated public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {}
    @_disfavoredOverload
    nonisolated public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?)
    where Label == Text {}
}

extension NavigationLink where Label == Text {
    @_disfavoredOverload
    nonisolated public init<S: StringProtocol>(
        _ title: S, @ViewBuilder destination: () -> Destination
    ) {}
}

// MARK: Tabs

public protocol TabContent<TabValue> {
    associatedtype TabValue: Hashable where TabValue == Body.TabValue
    associatedtype Body: TabContent
}

public struct Tab<Value, Content, Label> {}

extension Tab: TabContent where Value: Hashable, Content: View, Label: View {
    public typealias TabValue = Value
    public typealias Body = Self
}

extension Tab where Value: Hashable, Content: View, Label == DefaultTabLabel {
    @_disfavoredOverload
    nonisolated public init<S: StringProtocol>(
        _ title: S, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) {}
}

@MainActor @preconcurrency
public struct DefaultTabLabel: View {
    public typealias Body = Never
}

@resultBuilder
public struct TabContentBuilder<TabValue: Hashable> {
    public static func buildExpression<Content: TabContent<TabValue>>(
        _ content: Content
    ) -> Content { content }
    public static func buildBlock<Content: TabContent<TabValue>>(_ content: Content) -> Content {
        content
    }
    public static func buildBlock<A: TabContent<TabValue>, B: TabContent<TabValue>>(
        _ a: A, _ b: B
    ) -> TupleTabContent<TabValue, (A, B)> { fatalError() }
    public static func buildBlock<
        A: TabContent<TabValue>, B: TabContent<TabValue>, C: TabContent<TabValue>
    >(_ a: A, _ b: B, _ c: C) -> TupleTabContent<TabValue, (A, B, C)> { fatalError() }
    public static func buildBlock<
        A: TabContent<TabValue>, B: TabContent<TabValue>, C: TabContent<TabValue>,
        D: TabContent<TabValue>, E: TabContent<TabValue>
    >(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) -> TupleTabContent<TabValue, (A, B, C, D, E)> {
        fatalError()
    }

    public struct Content<C: TabContent>: View where C.TabValue == TabValue {
        public typealias Body = Never
    }
}

public struct TupleTabContent<TabValue: Hashable, Content>: TabContent {
    public typealias Body = Self
}

@MainActor @preconcurrency
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
}

extension TabView {
    nonisolated public init<C: TabContent>(
        selection: Binding<SelectionValue>,
        @TabContentBuilder<SelectionValue> content: () -> C
    ) where SelectionValue == C.TabValue, Content == TabContentBuilder<SelectionValue>.Content<C> {}
}

extension Tab {
    nonisolated public func badge(_ count: Int) -> some TabContent<Value>
    where Value: Hashable, Content: View, Label: View { self }
}

public protocol TabViewStyle {}

public struct SidebarAdaptableTabViewStyle: TabViewStyle { nonisolated public init() {} }

extension TabViewStyle where Self == SidebarAdaptableTabViewStyle {
    public static var sidebarAdaptable: SidebarAdaptableTabViewStyle {
        SidebarAdaptableTabViewStyle()
    }
}

// MARK: Bars

public struct ToolbarItemPlacement: Sendable {
    public static let automatic = ToolbarItemPlacement()
    public static let principal = ToolbarItemPlacement()
    public static let primaryAction = ToolbarItemPlacement()
    public static let cancellationAction = ToolbarItemPlacement()
    public static let confirmationAction = ToolbarItemPlacement()
    #if !os(macOS)
    public static let topBarLeading = ToolbarItemPlacement()
    public static let topBarTrailing = ToolbarItemPlacement()
    public static let bottomBar = ToolbarItemPlacement()
    #endif
}

@MainActor @preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
}

extension Never: ToolbarContent {}

public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    public typealias Body = Never
}

extension ToolbarItem where ID == () {
    nonisolated public init(
        placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
    ) {}
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    nonisolated public init(
        placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
    ) {}
    public typealias Body = Never
}

public struct TupleToolbarContent<Content>: ToolbarContent {
    public typealias Body = Never
}

@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content {
        content
    }
    public static func buildBlock<Content: ToolbarContent>(_ content: Content)
        -> some ToolbarContent
    { content }
    public static func buildBlock<each Content: ToolbarContent>(
        _ content: repeat each Content
    ) -> TupleToolbarContent<(repeat each Content)> { fatalError() }
    public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> Content? { content }
}

extension Optional: ToolbarContent where Wrapped: ToolbarContent {
    public typealias Body = Never
}

public struct ToolbarPlacement: Sendable {
    public static var automatic: ToolbarPlacement { ToolbarPlacement() }
    #if !os(macOS)
    public static var navigationBar: ToolbarPlacement { ToolbarPlacement() }
    #endif
    #if os(iOS) || os(tvOS) || os(visionOS)
    public static var tabBar: ToolbarPlacement { ToolbarPlacement() }
    #endif
}

#if !os(macOS) && !os(tvOS)
public struct NavigationBarItem: Sendable {
    public enum TitleDisplayMode: Sendable { case automatic, inline, large }
}
#endif

extension View {
    nonisolated public func navigationTitle(_ title: Text) -> some View { self }
    @_disfavoredOverload
    nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
    nonisolated public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    nonisolated public func navigationDestination<V: View>(
        isPresented: Binding<Bool>, @ViewBuilder destination: () -> V
    ) -> some View { self }
    nonisolated public func navigationDestination<D: Hashable, C: View>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    nonisolated public func navigationBarBackButtonHidden(
        _ hidesBackButton: Bool = true
    ) -> some View { self }
    nonisolated public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { self }
    nonisolated public func toolbar<Content: View>(
        @ViewBuilder content: () -> Content
    ) -> some View { self }
    nonisolated public func toolbar<Content: ToolbarContent>(
        @ToolbarContentBuilder content: () -> Content
    ) -> some View { self }
    nonisolated public func toolbarVisibility(
        _ visibility: Visibility, for bars: ToolbarPlacement...
    ) -> some View { self }
    #if !os(macOS) && !os(tvOS)
    nonisolated public func navigationBarTitleDisplayMode(
        _ displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { self }
    #endif
}
