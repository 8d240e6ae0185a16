/// A candidate for the next review of a plan.
struct PlanOffer {
    var card: Int
    var day: Int
    var gain: Double
}

/// A heap with the greatest gain on top; equal gains in the order of cards.
struct PlanOffers {
    private var offers: [PlanOffer] = []

    private static func isBetter(_ left: PlanOffer, _ right: PlanOffer) -> Bool {
        left.gain != right.gain ? left.gain > right.gain : left.card < right.card
    }

    mutating func push(_ offer: PlanOffer) {
        offers.append(offer)
        var child = offers.count - 1
        while child > 0, Self.isBetter(offers[child], offers[(child - 1) / 2]) {
            offers.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> PlanOffer? {
        guard let top = offers.first else { return nil }
        let last = offers.removeLast()
        guard !offers.isEmpty else { return top }
        offers[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < offers.count }
            guard let child = children.min(by: { Self.isBetter(offers[$0], offers[$1]) }),
                Self.isBetter(offers[child], offers[parent])
            else { return top }
            offers.swapAt(child, parent)
            parent = child
        }
    }
}
