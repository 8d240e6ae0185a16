"""The last two columns of docs/costs.md: what the account and what the address pays with.

A purse is drained by one route. Each route that pays with it is refused then, for that account or from that address, and for
no other.
"""

import unittest
import uuid

from costs import operations
from routes import ACCOUNTS, API, routes
from world import Account, World

#: The route that drains a purse, and the requests that it has a minute.
OF_ACCOUNT = {
    "240 requests": ("exchange", 240), "10 requests": ("export", 10), "600 requests of records": ("listRecords", 600),
    "60 requests of progress": ("progress", 60), "60 requests of boards": ("boards", 60),
    "120 requests of events": ("listEvents", 120), "60 requests of operators": ("audit", 60)}
#: Bodies of routes that are charged only where the body can be read.
BODIES = {
    "signIn": {"email": "a@example.org", "password": "correct horse"}, "signInExternally": {"token": "a.b.c"},
    "upgrade": {"email": "a@example.org", "password": "correct horse"}, "verifyEmail": {"code": "000000"},
    "resetPassword": {"email": "a@example.org", "code": "000000", "password": "another horse"},
    "revoke": {"refresh_token": "a"},
    "requestPasswordReset": {"email": "a@example.org"}, "moveAccount": {"from": "u" + "a" * 21, "proof": "a"}}
#: How often a route is asked while its purse is kept empty, before it counts as one that does not pay with it.
ATTEMPTS = 20
PLACES = {"{collection}": "favourites", "{id}": "r7", "{board}": "board", "{period}": "week", "{event}": "event0",
          "{region}": "int", "{exam}": "bank0"}


class NoScene:
    """Stands where the table wants accounts: its rows are read, and no request of it is made."""

    def __getattr__(self, _):
        return self

    __getitem__ = __getattr__

    def __call__(self, *_):
        return self


class Payers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.operations = operations(cls.world)
        cls.routes = {name: route for name, route in routes(NoScene()).items() if ":" not in name}

    def ask(self, name, account=None, address=None):
        """The status of a request of a route."""
        method, path = self.operations[name]
        for place, value in PLACES.items():
            path = path.replace(place, value)
        body = None if method in ("GET", "DELETE") else BODIES.get(name, {})
        if name == "refresh":  # One token has a limit of its own.
            body = {"refresh_token": uuid.uuid4().hex}
        return self.world.send(method, path, body, token=account and account.token, address=address).status

    def drain(self, name, most, **payer):
        """Asks until the purse is empty, and returns how many requests it had; it is filled anew meanwhile."""
        for count in range(2 * most):
            if self.ask(name, **payer) == 429:
                return count
        return self.fail(f"{name}: {2 * most} requests were not refused")

    def is_refused(self, name, payer, drained, most, drainer=None):
        """True where a route is refused by a purse that another route drained.

        A purse is filled anew between the two requests where the machine is busy, so the route is asked again; `payer`
        and `drainer` make who asks anew each time, because a request that is not refused may have removed the account.
        """
        for _ in range(ATTEMPTS):
            who = payer()
            self.drain(drained, most, **(drainer() if drainer else who))
            if self.ask(name, **who) == 429:
                return True
        return False

    def operator(self):
        account = Account(self.world)
        self.world.operate("role", "grant", account.user, "administrator")
        return account

    def test_each_account_pays_with_its_own_purse(self):
        for words, (drained, most) in OF_ACCOUNT.items():
            other = self.operator()
            self.assertGreaterEqual(self.drain(drained, most, account=self.operator()), most, words)
            for name, route in self.routes.items():
                pays = route.account == words or route.account.startswith(words + ", ")
                if pays:
                    with self.subTest(purse=words, route=name):
                        self.assertTrue(self.is_refused(name, lambda: {"account": self.operator()}, drained, most))
                        self.assertNotEqual(self.ask(drained, account=other), 429, "another account")

    def test_each_row_names_a_purse(self):
        known = set(OF_ACCOUNT) | {"–"}
        for name, route in self.routes.items():
            self.assertIn(route.account.split(", ")[0], known, name)

    def test_each_address_pays_for_account_routes_and_questions(self):
        for drained, prefix in (("listWays", ACCOUNTS), ("listExamQuestions", f"{API}/exams")):
            address = self.world.new_address()
            self.assertGreaterEqual(self.drain(drained, 600, address=address), 600)
            for name, (_, path) in self.operations.items():
                with self.subTest(route=name):
                    if path.startswith(prefix):
                        self.assertTrue(self.is_refused(
                            name, lambda: {"account": Account(self.world), "address": address}, drained, 600,
                            drainer=lambda: {"address": address}))
                    elif name not in ("watchEvent",):
                        self.assertNotEqual(self.ask(name, account=Account(self.world), address=address), 429)
            self.assertNotEqual(self.ask(drained), 429, "another address")

    def test_new_accounts_and_failures_of_an_address_are_counted(self):
        named = Account(self.world).sign_up()
        for words, drained, most in (("30 sign-ups", "makeAnonymousAccount", 30), ("30 failures", "signInExternally", 30)):
            for name, route in self.routes.items():
                if words not in route.address:
                    continue
                with self.subTest(route=name):
                    address = self.world.new_address()
                    self.assertGreaterEqual(self.drain(drained, most, address=address), most)
                    account = named if name in ("upgrade", "verifyEmail") else None
                    self.assertTrue(self.is_refused(
                        name, lambda: {"account": account, "address": address}, drained, most,
                        drainer=lambda: {"address": address}))
                    self.assertNotEqual(self.ask(name, account=account), 429, "another address")

    def test_moves_and_renewals_of_an_address_are_counted(self):
        one, other = (Account(self.world) for _ in range(2))
        for name, words in (("moveAccount", "240 moves"), ("refresh", "240 renewals")):
            self.assertIn(words, self.routes[name].address)
            address = self.world.new_address()
            self.assertGreaterEqual(self.drain(name, 240, account=one, address=address), 240)
            self.assertTrue(self.is_refused(
                name, lambda: {"account": other, "address": address}, name, 240,
                drainer=lambda: {"account": one, "address": address}))
            self.assertNotEqual(self.ask(name, account=other), 429)


if __name__ == "__main__":
    unittest.main()
