public import Foundation
public import Underway

/// The services of all screens: the content and user data of a device, its sync, time and random numbers.
public struct StudyServices: Sendable {
    /// The content.
    public var content: OfflineStore
    /// The learner's data.
    public var userData: any StudyUserData
    /// The sync; `nil` for a device without a server.
    public var sync: DeviceStudySync?
    /// The announcements of the installed release.
    public var announcements: (any AnnouncementSource)?
    /// The account of the learner; `nil` for a preview.
    public var account: DeviceStudyAccount?
    /// The learner's settings on this device.
    public var settings: DeviceFile<StudySettings>
    /// The last syncs.
    public var syncLog: DeviceFile<SyncLog>
    /// The version of the app: numbers with dots between.
    public var appVersion: String
    /// The wall clock.
    public var clock: @Sendable () -> Date
    /// The calendar of days and weeks, with the learner's time zone; the default one follows a change of zone.
    public var calendar: Calendar
    /// A source of globally unique ids.
    public var makeID: @Sendable () -> String
    /// A source of seeds for the choice and order of questions.
    public var makeSeed: @Sendable () -> UInt64
    /// The forecasts that were computed today.
    public let forecasts = ForecastCache()
    /// The live events that were shown last.
    public let seenEvents = SeenEvents()
    /// The hour at which the learner's day begins.
    public let rolloverHour = RolloverHour()
    /// The time that it is at least now.
    let knownTime = KnownTime()
    /// The searched texts of the banks that were searched last.
    public let questionTexts = QuestionTextCache()

    /// Creates the services of a device.
    public init(
        content: OfflineStore, userData: any StudyUserData, sync: DeviceStudySync? = nil,
        announcements: (any AnnouncementSource)? = nil, account: DeviceStudyAccount? = nil,
        settings: DeviceFile<StudySettings> = DeviceFile(initial: StudySettings()),
        syncLog: DeviceFile<SyncLog> = DeviceFile(initial: SyncLog()),
        appVersion: String = "1",
        clock: @escaping @Sendable () -> Date = { Date() },
        calendar: Calendar = .autoupdatingCurrent,
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        makeSeed: @escaping @Sendable () -> UInt64 = { .random(in: 0...UInt64.max) }
    ) {
        self.content = content
        self.userData = userData
        self.sync = sync
        self.announcements = announcements
        self.account = account
        self.settings = settings
        self.syncLog = syncLog
        self.appVersion = appVersion
        self.clock = clock
        self.calendar = calendar
        self.makeID = makeID
        self.makeSeed = makeSeed
    }

    /// The conversion of moments to learner's days, in the learner's time zone.
    public var days: LearningClock {
        LearningClock(rolloverHour: rolloverHour.value, timeZone: calendar.timeZone)
    }

    /// The time that it is now for the learner, which determines what is due.
    ///
    /// It is that of the ``clock``, unless the device knows that its clock is behind, see `UserStore.present(at:)`.
    public var now: Date { max(clock(), knownTime.value) }

    /// A moment with the date of the learner's day, which is yesterday's before the rollover hour.
    var dateOfToday: Date {
        let hour = calendar.component(.hour, from: now)
        guard hour < rolloverHour.value else { return now }
        return calendar.date(byAdding: .day, value: -1, to: now) ?? now
    }

    /// The learner's day of the present moment.
    public var today: LearningDay { days.day(of: now) }

    /// The scheduler of a learner without settings: right and wrong answers, with a step of ten minutes after a wrong one.
    public static let scheduler: ReviewScheduler = {
        // The settings are constants within their ranges.
        guard let scheduler = try? ReviewScheduler(.rightOrWrong) else {
            preconditionFailure("the settings for right and wrong answers are out of range")
        }
        return scheduler
    }()
}
