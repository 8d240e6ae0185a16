public import Foundation

// Foundation's relative style takes the present from the system's clock, and its style for spans
// knows no months: the words have these texts, with the plural forms of each language.
extension StudyFormats {
    // MARK: Relative to the present

    /// Returns true for a moment shown relative to `now`: not after it and at most 7 calendar days before.
    ///
    /// A moment up to a minute after `now` counts as now: clocks differ.
    public func isRecent(_ date: Date, now: Date) -> Bool {
        let span = date.timeIntervalSince(now)
        return span < 60 && span > -8 * 24 * 60 * 60 && days(from: date, to: now) <= 7
    }

    /// Returns the time since a moment, or its date if it was not recent.
    ///
    /// | ago | text |
    /// |---|---|
    /// | under a minute | just now |
    /// | under an hour | 12 minutes ago |
    /// | under a day | 5 hours ago |
    /// | up to 7 calendar days | 3 days ago |
    /// | longer, or in the future | 21 November |
    public func relative(_ date: Date, now: Date) -> String {
        guard isRecent(date, now: now) else { return self.date(date, now: now) }
        let seconds = Int(now.timeIntervalSince(date))
        switch seconds {
        case ..<60: return words["time.justNow"]
        case ..<3600: return words.count("time.minutesAgo", seconds / 60)
        case ..<86_400: return words.count("time.hoursAgo", seconds / 3600)
        default: return words.count("time.daysAgo", days(from: date, to: now))
        }
    }

    /// Returns a sentence about a past moment: `key.recently` with `{when}`, or `key.on` with `{date}`.
    public func sentence(
        _ key: String, _ date: Date, now: Date, _ arguments: [String: String] = [:]
    ) -> String {
        let isRecent = isRecent(date, now: now)
        let when = [isRecent ? "when" : "date": relative(date, now: now)]
        return words.text(
            "\(key).\(isRecent ? "recently" : "on")", arguments.merging(when) { given, _ in given })
    }

    /// Returns the day and clock time in short form: "today 14:05", "yesterday 14:05", else the date.
    public func moment(_ date: Date, now: Date) -> String {
        switch days(from: date, to: now) {
        case 0: words.text("time.todayAt", ["clock": time(date)])
        case 1: words.text("time.yesterdayAt", ["clock": time(date)])
        default: dateAndTime(date, now: now)
        }
    }

    /// Returns the days until a day: "today", "tomorrow", "in 21 days"; a past one as its date.
    public func daysUntil(_ date: Date, now: Date) -> String {
        switch days(from: now, to: date) {
        case ..<0: self.date(date, now: now)
        case 0: words["time.today"]
        case 1: words["time.tomorrow"]
        case let days: words.count("time.inDays", days)
        }
    }

    // MARK: Spans

    /// Returns a rough duration in whole minutes, at least 1: "about 9 minutes".
    public func about(_ duration: Duration) -> String {
        words.count("time.aboutMinutes", max(1, Int((duration.seconds / 60).rounded())))
    }

    /// Returns a duration in whole minutes, at least 1: "11 minutes".
    public func minutes(_ duration: Duration) -> String {
        words.count("time.minutes", max(1, Int((duration.seconds / 60).rounded())))
    }

    /// Returns the remaining time of a simulation: "31 min", and "4:58" in the last five minutes.
    ///
    /// Minutes are rounded up; expired time is "0:00".
    public func timeLeft(_ duration: Duration) -> String {
        guard duration >= .seconds(300) else { return clock(max(.zero, duration)) }
        let minutes = Duration.seconds(60 * (duration.seconds / 60).rounded(.up))
        return minutes.formatted(
            .units(allowed: [.minutes], width: .abbreviated).locale(words.locale))
    }

    /// Returns minutes and seconds: "0:58".
    public func clock(_ duration: Duration) -> String {
        duration.formatted(.time(pattern: .minuteSecond).locale(words.locale))
    }

    /// Returns the time until a question is repeated: "10 minutes", "5 days", "2 months".
    public func interval(_ interval: StudyInterval) -> String {
        switch interval {
        case .minutes(let count): words.count("time.minutes", count)
        case .days(let count): self.interval(days: count)
        }
    }

    /// Returns the interval until a card's next review: "5 days", "2 months", "1 year".
    ///
    /// It gives days up to 30, then months of 365 / 12 days, and years from 12 months on, each rounded to the nearest.
    public func interval(days: Int) -> String {
        let months = Int((Double(days) * 12 / 365).rounded())
        return switch days {
        case ...30: words.count("time.days", max(0, days))
        case _ where months < 12: words.count("time.months", months)
        default: words.count("time.years", max(1, Int((Double(days) / 365).rounded())))
        }
    }

    /// Returns the calendar days from one moment's day to another's; negative for an earlier one.
    private func days(from start: Date, to end: Date) -> Int {
        let start = calendar.startOfDay(for: start)
        let end = calendar.startOfDay(for: end)
        return calendar.dateComponents([.day], from: start, to: end).day ?? 0
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
