#if !os(watchOS) && !os(tvOS)
public import Foundation
#endif

@MainActor @preconcurrency
public protocol Gesture<Value> {
    associatedtype Value
}

public struct _EndedGesture<Content: Gesture>: Gesture { public typealias Value = Content.Value }
public struct _ChangedGesture<Content: Gesture>: Gesture { public typealias Value = Content.Value }

extension Gesture {
    nonisolated public func onEnded(
        _ action: @escaping (Value) -> Void
    ) -> _EndedGesture<Self> { fatalError() }
}

extension Gesture where Value: Equatable {
    nonisolated public func onChanged(
        _ action: @escaping (Value) -> Void
    ) -> _ChangedGesture<Self> { fatalError() }
}

#if !os(watchOS) && !os(tvOS)
public struct MagnifyGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var magnification: CGFloat
    }
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {}
}
#endif

extension View {
    nonisolated public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View { self }
}
