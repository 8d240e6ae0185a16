import Synchronization

/// A list that several tasks append to.
final class ManualList<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var values: [Element] { list.withLock { $0 } }

    func append(_ element: Element) { list.withLock { $0.append(element) } }
}
