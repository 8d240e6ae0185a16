import Dispatch
import Synchronization

/// Does one thing on another thread while `body` runs on this one, and waits for both.
///
/// - Returns: What both return.
/// - Throws: What `other` throws, or else what `body` does.
func alongside<Other: Sendable, Value>(
    _ other: @escaping @Sendable () throws -> Other, _ body: () throws -> Value
) throws -> (Other, Value) {
    let made = Mutex<Result<Other, any Error>?>(nil)
    let group = DispatchGroup()
    DispatchQueue.global(qos: .userInitiated).async(group: group) {
        let result = Result { try other() }
        made.withLock { $0 = result }
    }
    let value = Result { try body() }
    group.wait()
    guard let other = try made.withLock({ try $0?.get() }) else {
        preconditionFailure("the group has ended")
    }
    return (other, try value.get())
}

extension Array where Element: Sendable {
    /// Maps on all cores; the results are in the order of the elements.
    ///
    /// - Throws: What `transform` throws for the first element for which it does; it runs for the others all the same.
    func concurrentMap<Value: Sendable, Failure: Error>(
        _ transform: @Sendable (Element) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let results = Mutex<[Result<Value, Failure>?]>(.init(repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { () throws(Failure) in try transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        var values: [Value] = []
        values.reserveCapacity(count)
        for case let result? in results.withLock({ $0 }) { values.append(try result.get()) }
        return values
    }
}
