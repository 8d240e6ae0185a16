import Tracing

/// The exported data of a span.
struct SpanRecord: Sendable, Equatable {
    struct Event: Sendable, Equatable {
        var name: String
        var nanoseconds: UInt64
        var attributes: BoundedAttributes
    }

    struct Link: Sendable, Equatable {
        var context: TraceContext
        var attributes: BoundedAttributes
    }

    let context: TraceContext
    /// The parent's number; `nil` for the first span of a trace.
    let parent: UInt64?
    var name: String
    let kind: SpanKind
    /// The start, in nanoseconds since 1970.
    let start: UInt64
    /// The end, in nanoseconds since 1970; not before the start, even if the clock was set back.
    private(set) var end: UInt64
    var attributes = BoundedAttributes(countMax: SpanLimits.attributesMax)
    private(set) var events: [Event] = []
    private(set) var droppedEventCount = 0
    private(set) var links: [Link] = []
    private(set) var droppedLinkCount = 0
    var status: SpanStatus?

    init(_ context: TraceContext, parent: UInt64?, name: String, kind: SpanKind, start: UInt64) {
        self.context = context
        self.parent = parent
        self.name = name
        self.kind = kind
        self.start = start
        end = start
    }

    mutating func add(_ event: Event) {
        guard events.count < SpanLimits.eventsMax else { return droppedEventCount += 1 }
        events.append(event)
    }

    mutating func add(_ link: Link) {
        guard links.count < SpanLimits.linksMax else { return droppedLinkCount += 1 }
        links.append(link)
    }

    mutating func ended(at nanoseconds: UInt64) { end = max(start, nanoseconds) }
}

extension SpanRecord.Event {
    init(_ event: SpanEvent) {
        name = SpanLimits.cut(event.name)
        nanoseconds = event.nanosecondsSinceEpoch
        attributes = BoundedAttributes(
            countMax: SpanLimits.detailAttributesMax, event.attributes)
    }

    /// The event that OpenTelemetry's conventions name for an error, without its description.
    init(_ error: any Error, attributes: SpanAttributes, nanoseconds: UInt64) {
        // The type comes first, so that it is never the attribute that is dropped.
        self.attributes = BoundedAttributes(
            countMax: SpanLimits.detailAttributesMax,
            ["exception.type": .string(String(describing: type(of: error)))])
        var all = attributes
        all.merge(SpanAttributes(self.attributes.values))
        self.attributes.replace(with: CutAttributes(all))
        name = "exception"
        self.nanoseconds = nanoseconds
    }
}

extension SpanRecord.Link {
    /// A link to another span; `nil` for a context without one.
    init?(_ link: SpanLink) {
        guard let context = link.context.traceContext else { return nil }
        self.context = context
        attributes = BoundedAttributes(countMax: SpanLimits.detailAttributesMax, link.attributes)
    }
}
