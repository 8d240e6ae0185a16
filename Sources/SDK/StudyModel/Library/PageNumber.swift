/// A page of a long list, and the number of its pages.
///
/// ```swift
/// let page = PageNumber(9, itemCount: 41, pageSize: 20)
/// print(page.number, page.count, page.offset)  // 3 3 40
/// ```
public struct PageNumber: Sendable, Hashable {
    /// The page, from 1.
    public let number: Int
    /// The number of pages, at least 1.
    public let count: Int
    /// The number of items before the page.
    public let offset: Int

    /// Creates a page; a number beyond the pages becomes the nearest one.
    ///
    /// - Parameters:
    ///   - wanted: The wanted page, from 1.
    ///   - itemCount: The number of items.
    ///   - pageSize: The maximum number of items on a page, at least 1.
    public init(_ wanted: Int, itemCount: Int, pageSize: Int) {
        count = max(1, (itemCount + pageSize - 1) / pageSize)
        number = min(max(1, wanted), count)
        offset = (number - 1) * pageSize
    }

    /// The page before; `nil` on the first.
    public var previous: Int? { number > 1 ? number - 1 : nil }
    /// The page after; `nil` on the last.
    public var next: Int? { number < count ? number + 1 : nil }

    /// Returns "Page 2 of 5"; `nil` for a list of one page.
    public func title(_ formats: StudyFormats) -> String? {
        guard count > 1 else { return nil }
        return formats.words.text(
            "app.page", ["number": formats.number(number), "total": formats.number(count)])
    }
}
